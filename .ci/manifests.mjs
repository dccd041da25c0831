// Checks manifests of Kubernetes against the schemas of its API, and other YAML for being YAML: node manifests.mjs
// FOLDER FILE..., where FOLDER has the npm packages kubernetes-models and yaml.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [folder, ...files] = process.argv.slice(2)
const { parseAllDocuments } = await import(pathToFileURL(`${folder}/node_modules/yaml/dist/index.js`))

let faults = 0
for (const file of files) {
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })) {
    const value = document.toJS()
    const name = value.kind === undefined ? 'YAML' : `${value.apiVersion} ${value.kind}`
    // oxlint-disable-next-line no-await-in-loop -- one after the other, in the order of the files
    const fault = document.errors[0]?.message ?? (await faultOf(value))
    console.log(`${file}: ${name}: ${fault ?? 'ok'}`)
    if (fault !== undefined) faults += 1
  }
}
process.exitCode = faults === 0 ? 0 : 1

async function faultOf({ apiVersion, kind, ...rest }) {
  if (kind === undefined) return undefined
  try {
    const models = pathToFileURL(`${folder}/node_modules/kubernetes-models/${apiVersion}/index.js`)
    const { [kind]: Model } = await import(models)
    new Model({ apiVersion, kind, ...rest }).validate()
    return undefined
  } catch (thrown) {
    return thrown.message
  }
}
