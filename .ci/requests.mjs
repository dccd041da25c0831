// Every captured request of every client dialect, as it would go out to an upstream of every dialect, against the
// official wire types. usage: node .ci/requests.mjs CONFORMANCE; VERBOSE=1 lists what is refused too
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { HubError, plainCall, registry } from '../packages/core/src/index.ts'

const [conformance = ''] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(join(conformance, file)))
const { dialects, loadCaptures } = await load('matrix/captures.mjs')
const { problems } = await load('schemas/validate.mjs')

const MEMORY = { get: () => undefined, set() {}, delete() {} }

/** The call that a client made: Google's say in their path what others say in the body. */
function callOf({ dialect, request, stream, model }) {
  const method = stream ? 'streamGenerateContent' : 'generateContent'
  const known = { memory: MEMORY, now: 0, headers: {} }
  if (dialect !== 'gemini') return plainCall({ model: 'some-model', ...request }, known)
  const params = { model: model || 'some-model' }
  return plainCall(request, { ...known, path: `/v1beta/models/x:${method}`, params, query: { alt: 'sse' } })
}

/** What a step gives, or in which words it refuses: that is an answer too, and the client is told the path. */
function attempt(step) {
  try {
    return { value: step() }
  } catch (error) {
    if (error instanceof HubError) return { refusal: error.message }
    throw error
  }
}

/** What is wrong with a body that goes out, but for what was wrong with the client's own in the same dialect. */
function faultsOf(body, upstream, { dialect, request }) {
  const own = dialect === upstream ? problems(dialect, 'request', request) : []
  return problems(upstream, 'request', body).filter((fault) => !own.includes(fault))
}

const isCaptured = ({ name }) => dialects.includes(name)
const target = { model: 'some-model', newId: () => 'unique' }
let failed = 0

function tryAll(captures, client, { name, upstream }) {
  const counts = { legal: 0, refused: 0 }
  for (const capture of captures) {
    const { value: body, refusal } = attempt(() => {
      const { request } = client.decodeRequest(callOf(capture))
      return upstream.encodeRequest(request, { ...target, profile: upstream.defaultProfile, client }).body
    })
    if (refusal !== undefined) {
      counts.refused += 1
      if (process.env.VERBOSE) console.log(`refused ${capture.dialect} → ${name} ${capture.file}: ${refusal}`)
      continue
    }
    const faults = faultsOf(body, name, capture)
    if (faults.length === 0) counts.legal += 1
    else console.log(`FAIL ${capture.dialect} → ${name} ${capture.file}: ${faults.slice(0, 3).join(' | ')}`)
  }
  failed += captures.length - counts.legal - counts.refused
  return counts
}

for (const { name, client } of registry.clients.filter(isCaptured)) {
  const captures = loadCaptures(join(conformance, 'corpus'), name).filter(({ request }) => request)
  for (const dialect of registry.upstreams.filter(isCaptured)) {
    const { legal, refused } = tryAll(captures, client, dialect)
    console.log(`${name} → ${dialect.name}: ${captures.length} requests, ${legal} legal, ${refused} refused`)
  }
}
console.log(`${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
