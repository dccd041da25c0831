import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, beginStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { runHydra, startHydra } from './hydra.ts'
import { configFile, temporaryFolder } from './temporary.ts'
import { type Script, startUpstream } from './upstream.ts'

const opened = closing()

/** What the doctor says of an upstream: its exit code and the lines about the answer. */
async function diagnosis(script: Script): Promise<{ code: number | null; lines: string[]; url: string }> {
  const upstream = await opened(startUpstream(script))
  const args = ['doctor', '--port', '0', '--target-url', upstream.url, '--model', 'm']
  const { code, stdout } = await runHydra(args, { OPENAI_API_KEY: 'sk-doctor-canary' })
  expect(stdout).not.toContain('sk-doctor-canary')
  return { code, lines: stdout.trimEnd().split('\n'), url: upstream.url }
}

test('a good upstream', async () => {
  const { code, lines, url } = await diagnosis(answer({ text: '1 2 3 4 5' }))
  expect(code).toBe(0)
  expect(lines).toEqual([
    'ok   port: any that is free',
    `ok   upstream openai at ${url}: a key is set`,
    expect.stringMatching(/^ok {3}m at openai: it answers; the first token came after \d+\.\d\d s$/),
    'ok   m at openai: it streams, and the answer came to its end',
    'warn m at openai: asked for the call of a tool, it answers with words; agents need a model that calls tools',
  ])
})

test('the store of a team is looked at, and the model is asked without a client’s key', async () => {
  const upstream = await opened(startUpstream(answer({ text: '1 2 3 4 5' })))
  const path = join(temporaryFolder(), 'team.db')
  const args = ['doctor', '--port', '0', '--target-url', upstream.url, '--model', 'm', '--store']
  const { code, stdout } = await runHydra([...args, `file:${path}`])
  expect(stdout).toMatch(/^ok {3}store file .*: a request is counted in \d+ ms$/m)
  expect(stdout).toContain('warn keys: there are none yet; make one with hydra keys create')
  expect(stdout).toMatch(/^ok {3}m at openai: it answers/m)
  expect(code).toBe(0)
  const broken = join(temporaryFolder(), 'no-database')
  writeFileSync(broken, 'not a database, and longer than the header of one: '.repeat(10))
  const unusable = await runHydra([...args, `file:${broken}`])
  expect(unusable.stdout).toContain(
    `FAIL store file ${broken}: it cannot be opened: file is not a database\n`,
  )
  expect([unusable.code, unusable.stderr]).toEqual([1, ''])
}, 20_000)

const BREAKING: Script = (_seen, response) => {
  beginStream(response)
  writeChunk(response, { content: 'Half' })
  setImmediate(() => response.destroy())
}

test.each<[string, Script, string]>([
  [
    'a wrong key',
    refuse(401, { message: 'Bad key.' }),
    'FAIL m at openai: 401 authentication_error: Bad key. Check the key.',
  ],
  [
    'an unknown model',
    refuse(404, { message: 'No m' }),
    'FAIL m at openai: 404 not_found_error: No m. Check --model and --target-url.',
  ],
  [
    'a server that fails',
    refuse(500, { message: 'Oops' }),
    'FAIL m at openai: 500 api_error: Oops. The server itself failed: what it logs says why, or try again later.',
  ],
  [
    'a stream that breaks',
    BREAKING,
    'FAIL m at openai: the answer broke off: Overloaded: upstream openai: the connection broke',
  ],
])('%s is found, and what to do is said', async (_name, script, line) => {
  const { code, lines } = await diagnosis(script)
  expect(code).toBe(1)
  expect(lines.at(-1)?.startsWith(line)).toBe(true)
})

test('an answer in one piece or without text works, but is odd', async () => {
  const single = await diagnosis(answer({ text: '12345' }))
  expect(single.code).toBe(0)
  expect(single.lines).toContain(
    'warn m at openai: the answer came in one piece; does something in between collect it?',
  )
  const empty = await diagnosis(answer({}))
  expect(empty.lines.at(-1)).toContain('warn m at openai: it answers, but with no text')
})

const CALLING: Script = (seen, response) => {
  if (seen.method === 'GET')
    return void response.end(JSON.stringify({ data: [{ id: 'mm' }, { id: 'other' }] }))
  const call = { id: 'call_1', name: 'get_weather', input: { city: 'Paris' } }
  return answer(!seen.bytes.includes('get_weather') ? { text: '1 2 3' } : { calls: [call] })(
    seen,
    response,
    0,
  )
}

test('a call of a tool is asked for, and the model is looked up in the list', async () => {
  const { code, lines } = await diagnosis(CALLING)
  expect(code).toBe(0)
  expect(lines).toContain("warn m at openai: the server does not list this model; did you mean 'mm'?")
  expect(lines.at(-1)).toBe('ok   m at openai: it calls tools')
})

test('the demo passes its own examination', async () => {
  const { code, stdout } = await runHydra(['doctor', '--port', '0'])
  expect(code).toBe(0)
  expect(stdout).toContain('ok   demo at demo: it calls tools\n')
  expect(stdout).not.toContain('warn')
})

test('a server that wants a key is not asked with none without saying so', async () => {
  const upstream = await opened(startUpstream(refuse(401, { message: 'Who are you?' })))
  const { stdout } = await runHydra(['doctor', '--port', '0', '--target-url', upstream.url, '--model', 'm'])
  expect(stdout).toContain('Who are you? No key is set: set the variable of its key.\n')
})

test('where the server lists its models, an unknown one is no matter of the address', async () => {
  const upstream = await opened(
    startUpstream((seen, response) => {
      const lists = seen.path.endsWith('/models')
      response.writeHead(lists ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify(lists ? { data: [{ id: 'other' }] } : { error: { message: 'No m' } }))
    }),
  )
  const args = ['doctor', '--port', '0', '--target-url', upstream.origin, '--model', 'm']
  expect((await runHydra(args)).stdout).toContain('No m. Check --model and --target-url.\n')
})

test('an address that lacks /v1 is told to have it', async () => {
  const upstream = await opened(
    startUpstream((seen, response) => {
      response.writeHead(seen.path === '/v1/models' ? 200 : 404, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ data: [], error: { message: 'Nothing here' } }))
    }),
  )
  const { stdout } = await runHydra([
    'doctor',
    '--port',
    '0',
    '--target-url',
    upstream.origin,
    '--model',
    'm',
  ])
  expect(stdout).toContain(
    `Nothing here. A server answers at ${upstream.origin}/v1: use that as --target-url.\n`,
  )
})

test('every model of a configuration is asked, and what cannot be reached is named', async () => {
  const upstream = await opened(startUpstream(answer({ text: '1 2 3' })))
  const other = await opened(startUpstream(() => {}))
  await other.close()
  const config = configFile({
    port: 0,
    upstreams: {
      up: { url: upstream.url },
      gone: { url: other.url },
      claude: { dialect: 'anthropic', profile: 'anthropic', url: upstream.origin },
      openai: {},
      openly: { url: upstream.url },
    },
    routes: [
      { match: { marker: 'hydra:lead' }, upstream: 'claude', passthrough: true },
      { match: { models: ['a'] }, upstream: 'up', model: 'first', fallbacks: [{ upstream: 'gone' }] },
      { match: { models: ['b-*'] }, upstream: 'openly' },
      { upstream: 'up', models: { '*': 'second' } },
    ],
  })
  const { code, stdout } = await runHydra(['doctor', '--config', config])
  expect(code).toBe(1)
  expect(stdout).toContain(`ok   upstream claude at ${upstream.origin}: the client brings its own key\n`)
  expect(stdout).toContain(
    'FAIL upstream openai at https://api.openai.com/v1: no key is set; set OPENAI_API_KEY\n',
  )
  expect(stdout).toContain(`ok   upstream claude at ${upstream.origin}: reachable\n`)
  expect(stdout).toContain('ok   first at up: it answers;')
  expect(stdout).toContain(
    'FAIL first at gone: 502 api_error: upstream gone: the connection was refused: is it running? Check its address.\n',
  )
  expect(stdout).toContain('warn upstream openly: not asked, because no route names a model for it\n')
  expect(stdout).toContain('ok   second at up: it answers;')
})

test('who is at the port is told', async () => {
  const hydra = await opened(startHydra())
  const stranger = await opened(startUpstream((_seen, response) => void response.end('Hi')))
  const taken = await runHydra(['doctor', '--port', new URL(stranger.url).port])
  expect(taken.code).toBe(1)
  expect(taken.stdout).toContain('taken by something else; choose another with --port')
  const running = await runHydra(['doctor', '--port', String(hydra.port)])
  expect(running.code).toBe(0)
  expect(running.stdout).toContain(`ok   port ${hydra.port}: a hydra runs there already\n`)
})

test('settings that cannot be used are a finding', async () => {
  const { code, stdout } = await runHydra(['doctor', '--provider', 'groq', '--model', 'm'])
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: 'FAIL the provider groq needs a key: set GROQ_API_KEY\n',
  })
})
