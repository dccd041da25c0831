import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { registry } from './registry.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const CORE = 'packages/core/src'

/** Where names are at home: the list itself, what is known of clients, and what is known of providers. */
const HOMES = [`${CORE}/dialects/registry.ts`, `${CORE}/clients/`, `${CORE}/providers/`]

/** Where a name has to be written although it is nobody's home, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  [`${CORE}/identity/envelope.ts`]:
    'proofs of thinking name their maker, also to dialects that do not know it',
  'apps/proxy/src/run/agents/gemini.ts': 'the program of that agent is called like the dialect',
  'apps/proxy/src/run/agents/copilot.ts': 'that agent has the same name for the API',
  'apps/proxy/src/run/agents/kimi.ts': 'that agent has the same name for the API',
  'apps/proxy/src/run/agents/pi.ts': 'that agent has the same name for the API',
  'apps/proxy/src/run/agents/qwen.ts': 'that agent has the same names for the APIs',
}

/** Tests may name what they are about, and so may the programs that only test. */
const sources = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'], { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts') && !path.includes('node_modules'))
  .filter((path) => !path.startsWith('apps/e2e/') && !path.startsWith('packages/testkit/'))
  .toSorted()

/** Names that are written as strings, also inside of longer unions, in quotes of any kind. */
function namesWrittenIn(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return registry.names.filter((name) => {
    if (path.startsWith(`${CORE}/dialects/${name}/`)) return false
    return ["'", '"', '`'].some((quote) => text.includes(quote + name + quote))
  })
}

test('a name of a dialect is written in its folder and in the registry, and nowhere else', () => {
  expect(sources.length).toBeGreaterThan(500)
  const elsewhere = sources
    .filter((path) => !HOMES.some((home) => path.startsWith(home)) && !(path in EXCEPTIONS))
    .flatMap((path) => namesWrittenIn(path).map((name) => `${path} writes '${name}'`))
  expect(elsewhere).toEqual([])
})

/** Where a dialect is asked for by its constant although it is nobody's home, and why. */
const CONSTANTS: Readonly<Record<string, string>> = {
  'packages/gateway/src/agent/send-to.ts': 'the agent loop speaks the hub, and the hub is that dialect',
  'packages/gateway/src/presets.ts': 'one preset for each provider, by the names of the providers',
  'apps/harness/src/chaos/grammar/grammar.ts': 'witnesses that share nothing with the dialects',
  'apps/harness/src/chaos/upstream-end.ts': 'witnesses that share nothing with the dialects',
  'apps/harness/src/import/read-aimock.ts': 'the foreign format knows this dialect only',
  'apps/proxy/src/run/client-line.ts': 'by which variables the SDKs of a dialect find a server',
  'apps/proxy/src/serve/banner.ts': 'two programs to begin with',
  'apps/proxy/src/serve/server.ts': 'the demo is a script in this dialect',
  'apps/proxy/src/settings/routing.ts': '--passthrough leads to this provider',
}
/** They only name their exports, or what an agent of theirs speaks. */
const NAMING = /\/src\/index\.ts$|^apps\/proxy\/src\/run\/agents\/|^apps\/(?:bench|faults)\//

/** Constants of dialects that a file imports. */
function constantsIn(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), 'utf8')
  const imports = [...text.matchAll(/^import \{([^}]*)\} from '@hydra\/core'/gm)].map(([, names]) => names)
  return registry.names
    .map((name) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .filter((name) => imports.some((names) => names?.split(/[\s,]+/).includes(name)))
}

test('the constant of a dialect is imported where it says why, and nowhere else', () => {
  const elsewhere = sources
    .filter((path) => !(path in CONSTANTS) && !NAMING.test(path))
    .flatMap((path) => constantsIn(path).map((name) => `${path} imports ${name}`))
  expect(elsewhere).toEqual([])
  for (const path of Object.keys(CONSTANTS)) expect(constantsIn(path), path).not.toEqual([])
})

test('what is excepted is still there, and still writes a name', () => {
  for (const path of Object.keys(EXCEPTIONS)) {
    expect(existsSync(join(ROOT, path)), path).toBe(true)
    expect(namesWrittenIn(path), path).not.toEqual([])
  }
})

test('every dialect writes its own name', () => {
  for (const name of registry.names) {
    const own = sources.filter((path) => path.startsWith(`${CORE}/dialects/${name}/`))
    const texts = own.map((path) => readFileSync(join(ROOT, path), 'utf8'))
    expect(
      texts.some((text) => text.includes(`'${name}'`)),
      name,
    ).toBe(true)
  }
})
