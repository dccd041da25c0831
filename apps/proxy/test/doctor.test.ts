import { expect, test } from 'vitest'
import { answer, beginStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { runHydra, startHydra } from './hydra.ts'
import { configFile } from './temporary.ts'
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
  ])
})

const BREAKING: Script = (_seen, response) => {
  beginStream(response)
  writeChunk(response, { content: 'Half' })
  setImmediate(() => response.destroy())
}

test.each<[string, Script, string]>([
  [
    'a wrong key',
    refuse(401, { message: 'Bad key' }),
    'FAIL m at openai: 401 authentication_error: Bad key. Check the key.',
  ],
  [
    'an unknown model',
    refuse(404, { message: 'No m' }),
    'FAIL m at openai: 404 not_found_error: No m. Check --model and --target-url.',
  ],
  [
    'a stream that breaks',
    BREAKING,
    'FAIL m at openai: the answer broke off: upstream openai: the connection broke',
  ],
])('%s is found, and what to do is said', async (_name, script, line) => {
  const { code, lines } = await diagnosis(script)
  expect(code).toBe(1)
  expect(lines.at(-1)?.startsWith(line)).toBe(true)
})

test('an answer in one piece or without text works, but is odd', async () => {
  const single = await diagnosis(answer({ text: '12345' }))
  expect(single.code).toBe(0)
  expect(single.lines.at(-1)).toBe(
    'warn m at openai: the answer came in one piece; does something in between collect it?',
  )
  const empty = await diagnosis(answer({}))
  expect(empty.lines.at(-1)).toContain('warn m at openai: it answers, but with no text')
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
    'FAIL first at gone: 502 api_error: upstream gone: the connection was refused: is it running?',
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
