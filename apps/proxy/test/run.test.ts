import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { beginHydra, runHydra, startHydra } from './hydra.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

const PRINT = `
const { ANTHROPIC_BASE_URL, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_API_KEY, ANTHROPIC_CUSTOM_HEADERS, NO_PROXY } = process.env
console.log(JSON.stringify({ url: ANTHROPIC_BASE_URL, token: ANTHROPIC_AUTH_TOKEN, key: ANTHROPIC_API_KEY, headers: ANTHROPIC_CUSTOM_HEADERS, direct: NO_PROXY, args: process.argv.slice(1) }))
`
const ASK = `
const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.ANTHROPIC_AUTH_TOKEN },
  body: JSON.stringify({ model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
})
console.log((await response.json()).content[0].text)
process.exit(7)
`

function node(script: string, ...args: string[]): string[] {
  return [process.execPath, '--input-type=module', '-e', script, ...args]
}

test('it starts a proxy, the command talks to it, and its exit code comes back', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'From afar.' })))
  const args = ['run', '--port', '0', '--target-url', upstream.url, '--model', 'm', '--log', 'pretty']
  const { code, stdout, stderr } = await runHydra([...args, '--', ...node(ASK)], { HYDRA_KEY: 'run-key-123' })
  expect({ code, stdout }).toEqual({ code: 7, stdout: 'From afar.\n' })
  expect(stderr).toMatch(
    /^hydra: a proxy runs on http:\/\/127\.0\.0\.1:\d+\nhydra: {3}openai: everything → openai m/,
  )
  expect(stderr).toContain('claude-x → openai m (openai)  200')
  expect(stderr).not.toContain('run-key-123')
})

test('the environment sends Claude Code to the proxy, and the arguments are its own', async () => {
  const env = { ANTHROPIC_API_KEY: 'sk-ant-mine', no_proxy: 'intern.test' }
  const { code, stdout } = await runHydra(['run', '-p', '0', ...node(PRINT, '--', '--help', '-p', 'hi')], env)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
    token: 'hydra',
    direct: 'intern.test,127.0.0.1,localhost,[::1]',
    args: ['--help', '-p', 'hi'],
  })
})

test('where requests pass, the client’s own credentials stay', async () => {
  const env = {
    ANTHROPIC_API_KEY: 'sk-ant-mine',
    ANTHROPIC_CUSTOM_HEADERS: 'x-mine: 1',
    HYDRA_KEY: 'run-key',
  }
  const { stdout } = await runHydra(['run', '--port', '0', '--passthrough', 'lead', ...node(PRINT)], env)
  expect(JSON.parse(stdout)).toMatchObject({ key: 'sk-ant-mine', headers: 'x-mine: 1\nx-hydra-key: run-key' })
  expect(JSON.parse(stdout)).not.toHaveProperty('token')
})

test('a proxy that runs already is used, if its key is known', async () => {
  const hydra = await opened(startHydra([], { HYDRA_KEY: 'key-of-the-running-one' }))
  const args = ['run', '--port', String(hydra.port), ...node(ASK)]
  const known = await runHydra(args, { HYDRA_KEY: 'key-of-the-running-one' })
  expect(known.code).toBe(7)
  expect(known.stdout).toContain('demo model')
  expect(known.stderr).toBe(`hydra: the proxy on ${hydra.url} runs already, and its settings count\n`)
  expect(await runHydra(args)).toEqual({
    code: 2,
    stdout: '',
    stderr: `hydra: the proxy on port ${hydra.port} asks for a key: set HYDRA_KEY to it\n`,
  })
})

test('a running proxy says whether it passes requests; what is set here does not count', async () => {
  const own = { ANTHROPIC_API_KEY: 'sk-ant-mine' }
  const passing = await opened(startHydra(['--passthrough', 'lead'], { HYDRA_KEY: 'run-key' }))
  const args = ['run', '--port', String(passing.port), ...node(PRINT)]
  const kept = await runHydra(args, { ...own, HYDRA_KEY: 'run-key' })
  expect(JSON.parse(kept.stdout)).toMatchObject({ key: 'sk-ant-mine', headers: 'x-hydra-key: run-key' })
  expect(JSON.parse(kept.stdout)).not.toHaveProperty('token')
  const plain = await opened(startHydra())
  const { stdout } = await runHydra(['run', '--port', String(plain.port), ...node(PRINT)], {
    ...own,
    HYDRA_PASSTHROUGH: 'lead',
  })
  expect(JSON.parse(stdout)).toMatchObject({ token: 'hydra' })
  expect(JSON.parse(stdout)).not.toHaveProperty('key')
})

test.each([
  ['answers', { status: 'ok' }],
  ['asks for a key of its own', { error: { type: 'authentication_error', message: 'Whose key is this?' } }],
])('another program on the port that %s is not sent the key', async (_name, said) => {
  const stranger = await opened(
    startUpstream((_seen, response) => void response.writeHead(401).end(JSON.stringify(said))),
  )
  const port = new URL(stranger.url).port
  const { code, stderr } = await runHydra(['run', '--port', port, ...node(PRINT)], { HYDRA_KEY: 'run-key' })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `hydra: port ${port} is taken: choose another with --port\n`,
  })
  // Once to find a proxy that runs, and once to tell who has the port.
  expect(stranger.seen.map(({ path, headers }) => [path, headers['x-hydra-key']])).toEqual([
    ['/health', undefined],
    ['/health', undefined],
  ])
})

test('a command that does not exist is told, and nothing keeps running', async () => {
  const { code, stderr } = await runHydra(['run', '--port', '0', 'no-such-command-here'])
  expect(code).toBe(2)
  expect(stderr).toContain('hydra: no-such-command-here was not found: is it installed?\n')
})

test('a command that a signal ends has the code of that signal', async () => {
  const script = "process.kill(process.pid, 'SIGKILL')"
  expect((await runHydra(['run', '--port', '0', ...node(script)])).code).toBe(137)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s goes on to the command, which decides what comes back',
  async (signal) => {
    const script = `
process.on('${signal}', () => { console.log('got ${signal}'); process.exit(3) })
console.log('ready')
setInterval(() => {}, 1000)
`
    const running = beginHydra(['run', '--port', '0', ...node(script)])
    await eventually(() => running.printed() === 'ready\n' || undefined, 'the command')
    running.signal(signal)
    expect(await running.ended).toMatchObject({ code: 3, stdout: `ready\ngot ${signal}\n` })
  },
)

test('a command that is no agent gets the variables of all SDKs', async () => {
  const script = 'console.log(JSON.stringify(process.env))'
  const own = { OPENAI_API_KEY: 'sk-mine', GOOGLE_API_KEY: 'AIza-mine', GOOGLE_GENAI_USE_VERTEXAI: 'true' }
  const args = ['run', '--port', '0', '--provider', 'ollama', '--model', 'm', ...node(script)]
  const { stdout } = await runHydra(args, { ...own, HYDRA_KEY: 'run-key' })
  const env = JSON.parse(stdout) as Record<string, string>
  const url = env['ANTHROPIC_BASE_URL']
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(env).toMatchObject({
    ANTHROPIC_AUTH_TOKEN: 'run-key',
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: 'run-key',
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: 'run-key',
    GOOGLE_API_KEY: 'run-key',
  })
  expect(env).not.toHaveProperty('GOOGLE_GENAI_USE_VERTEXAI')
})

test('as a script of this repository, the command runs where it was typed', async () => {
  const script = 'console.log(process.cwd())'
  const folder = realpathSync(tmpdir())
  const typed = { npm_package_name: 'hydra', INIT_CWD: folder }
  const { stdout } = await runHydra(['run', '--port', '0', ...node(script)], typed)
  expect(stdout).toBe(`${folder}\n`)
  const other = await runHydra(['run', '--port', '0', ...node(script)], { INIT_CWD: folder })
  expect(other.stdout).not.toBe(`${folder}\n`)
})

test('what a script of the repository starts gets the environment of who typed it', async () => {
  const folder = realpathSync(tmpdir())
  const print = `console.log(JSON.stringify({ env: Object.keys(process.env), path: process.env.PATH, pwd: process.env.PWD }))`
  const { stdout } = await runHydra(['run', '--port', '0', ...node(print)], {
    npm_package_name: 'hydra',
    npm_lifecycle_event: 'hydra',
    npm_package_json: '/clone/package.json',
    npm_config_prefix: '/usr',
    INIT_CWD: folder,
    PWD: '/clone',
    PATH: '/clone/node_modules/.bin:/usr/bin:/bin',
    MINE: 'yes',
  })
  const { env, path, pwd } = JSON.parse(stdout) as { env: string[]; path: string; pwd: string }
  expect({ path, pwd }).toEqual({ path: '/usr/bin:/bin', pwd: folder })
  expect(env).toContain('MINE')
  expect(env.filter((name) => /npm|INIT_CWD/i.test(name))).toEqual([])
})
