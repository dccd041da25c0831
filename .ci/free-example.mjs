// Makes the manifest of an example in this folder one that npm understands: our packages become the tarballs in a
// folder, and the versions of all others are those of the catalog.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , tarballs] = process.argv
const workspace = readFileSync(new URL('../pnpm-workspace.yaml', import.meta.url), 'utf8')
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const files = readdirSync(tarballs)

const tarballOf = (name) => {
  const start = `${name.replace('@', '').replace('/', '-')}-`
  return `file:${join(
    tarballs,
    files.find((file) => file.startsWith(start) && /^\d/.test(file.slice(start.length))),
  )}`
}

const versionOf = (name) => new RegExp(`^  '?${name}'?: (.+)$`, 'm').exec(workspace)[1]

const freed = Object.entries(manifest.devDependencies).map(([name, range]) => [
  name,
  range === 'workspace:*' ? tarballOf(name) : versionOf(name),
])
// What they depend on of ours is in no registry either.
const ours = { '@hydra/core': tarballOf('@hydra/core') }
writeFileSync(
  'package.json',
  JSON.stringify({ ...manifest, devDependencies: { ...Object.fromEntries(freed), ...ours } }, null, 2),
)
