// Plays the three newcomers: somebody with an agent in a fresh clone, somebody with a server and somebody with tests in
// empty folders, on packed packages. What they type and paste is taken from the README, so that it cannot lie.
//   MACHINE_PATH  the PATH of the machine, with its own Node, however old
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellFences } from '../apps/docs/src/commands/fences.ts'
import { sectionOf } from '../apps/docs/src/document.ts'

const ROOT = new URL('..', import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), 'hydra-newcomers-'))
const clone = join(folder, 'hydra')
const oldPath = process.env.MACHINE_PATH ?? process.env.PATH
const running = new Set()
let failures = 0

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const section = (name) => ({ path: `README.md, ${name}`, text: sectionOf(readme, `## ${name}`) })
const commands = (name) => shellFences(section(name)).flatMap(({ lines }) => lines)
const codeIn = (text) => /^```js\n([^]*?)^```$/m.exec(text)[1]
const pasted = (name) => codeIn(section(name).text)
const TESTING = { path: 'docs/testing.md', text: readFileSync(join(ROOT, 'docs/testing.md'), 'utf8') }

/** The environment of somebody on this machine: their PATH, no keys, no configuration of Hydra, nothing of a script's. */
const environment = (path, more = {}) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^HYDRA_|_API_KEY$|_BASE_URL$|^npm_(?:package|lifecycle)_|^CI$/.test(name),
    ),
  ),
  PATH: path,
  XDG_CONFIG_HOME: join(folder, 'config'),
  NO_COLOR: '1',
  ...more,
})

/** Types a command to its end. */
function type(line, { cwd, env }) {
  const typed = line.replace('KEY=…', 'KEY=any')
  const { status, stdout, stderr } = spawnSync('bash', ['-c', typed], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 240_000,
  })
  if (status !== 0) throw new Error(`${line}\nended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

/** Types a command that fails, and says why. */
function mistake(line, { cwd, env, named }) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: 60_000,
  })
  if (status !== 0 && status !== null && stderr.includes(named)) return
  failures += 1
  console.log(`  ${line}: expected a failure that names ${named}, got ${status}: ${stdout}${stderr}`)
}

/** Types a command that goes on, and waits until it prints where it listens. */
async function start(line, { cwd, env }) {
  const child = spawn('bash', ['-c', line], { cwd, env, detached: true })
  running.add(child)
  let output = ''
  const url = await new Promise((resolve, reject) => {
    const listen = (text) => {
      output += text
      const [found] = /http:\/\/127\.0\.0\.1:\d+(?:\/llm)?/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    child.once('exit', (code) => reject(new Error(`${line}\nended with ${code}:\n${output}`)))
  })
  return { child, url }
}

async function stop({ child }) {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await exited
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function play(name, story) {
  const began = Date.now()
  try {
    await story()
    console.log(`${name}: first success and all the rest in ${Math.round((Date.now() - began) / 1000)} s`)
  } catch (error) {
    failures += 1
    console.log(`${name}: ${error.message}`)
  }
}

/** An agent for whoever has none: it asks Claude's API as often as it is started. */
function addAgent(bin) {
  mkdirSync(bin)
  const script = `fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.ANTHROPIC_AUTH_TOKEN },
    body: JSON.stringify({ model: 'claude-x', max_tokens: 9, messages: [{ role: 'user', content: process.argv.at(-1) }] }),
  }).then(async (answer) => { console.log('agent:', (await answer.json()).content[0].text); process.exit(answer.ok ? 0 : 1) })`
  writeFileSync(join(bin, 'claude.js'), script)
  writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec node ${join(bin, 'claude.js')} "$@"\n`)
  chmodSync(join(bin, 'claude'), 0o755)
}

/** One question in each dialect that clients speak. */
const QUESTIONS = {
  '/v1/messages': { model: 'any', max_tokens: 9, messages: [{ role: 'user', content: 'say hi' }] },
  '/v1/chat/completions': { model: 'any', messages: [{ role: 'user', content: 'say hi' }] },
  '/v1/responses': { model: 'any', input: 'say hi' },
  '/v1beta/models/any:generateContent': { contents: [{ role: 'user', parts: [{ text: 'say hi' }] }] },
}

async function ask(url, body) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
}

const port = await freePort()
const agentPath = `${join(folder, 'bin')}:${oldPath}`
const cloneEnv = environment(agentPath, { HYDRA_PROXY_PORT: String(port) })
let proxy

try {
  await play('somebody with an agent', async () => {
    type(`git clone --quiet ${ROOT} ${clone}`, { cwd: folder, env: cloneEnv })
    addAgent(join(folder, 'bin'))
    const [first, second] = commands('Two commands')
    const began = Date.now()
    proxy = await start(first, { cwd: clone, env: cloneEnv })
    console.log(
      `  ${first}: listens after ${Math.round((Date.now() - began) / 1000)} s, on Node ${type('node -v', { cwd: folder, env: cloneEnv }).trim()}`,
    )
    const curl = commands('You have an agent').find((line) => line.startsWith('curl '))
    const answer = type(curl.replace('http://127.0.0.1:3456', proxy.url), { cwd: folder, env: cloneEnv })
    if (!answer.includes('"content"')) throw new Error(`${curl}\nanswered ${answer}`)
    const said = type(`${second} 2>&1`, { cwd: clone, env: cloneEnv })
    if (!said.includes('agent: ')) throw new Error(`${second}\nprinted ${said}`)
    const install = commands('You have an agent').find((line) => line.endsWith(' install-hydra'))
    const prefix = join(folder, 'everywhere')
    type(`${install} --prefix ${prefix}`, { cwd: clone, env: cloneEnv })
    const installed = { ...cloneEnv, PATH: `${prefix}/bin:${agentPath}` }
    const again = type('hydra run claude -p "say hi" 2>&1', { cwd: join(folder, 'bin'), env: installed })
    if (!again.includes('agent: ')) throw new Error(`installed hydra run claude printed ${again}`)
    // The types of a configuration are to be had by a program that is one file, in a folder of the package's name.
    const config = `import { defineConfig } from '@hydra/proxy/config'
export default defineConfig({ upstreams: { groq: {} }, routes: [{ upstream: 'groq', model: 'm' }] })`
    writeFileSync(join(folder, 'hydra.config.ts'), config)
    const checked = type('hydra check --config hydra.config.ts', { cwd: folder, env: installed })
    if (!checked.includes('upstream groq: ')) throw new Error(`installed hydra check printed ${checked}`)
  })

  const tools = environment(`${ROOT}node_modules/.bin:${oldPath}`)
  /** The oldest Node that the packages say they run on, for whoever has to install one. */
  const { node: range } = JSON.parse(readFileSync(join(ROOT, 'apps/proxy/package.json'), 'utf8')).engines
  const nodeFolder = type(
    `npx -y --package node@${range.replace('>=', '')} -c 'dirname "$(command -v node)"'`,
    { cwd: folder, env: tools },
  )
    .trim()
    .split('\n')
    .at(-1)
  const supported = environment(`${nodeFolder}:${oldPath}`)

  await play('somebody with a server', async () => {
    const cwd = join(folder, 'server')
    mkdirSync(cwd)
    const [pack, install] = commands('You have a server')
    type('npm init -y', { cwd, env: supported })
    type(pack, { cwd, env: supported })
    type(install, { cwd, env: supported })
    // With the proxy in place of OpenAI, which wants no account.
    const server = pasted('You have a server')
    const asked = server.replace('openai()', `openai({ url: '${proxy.url}/v1' })`)
    if (asked === server) throw new Error('the server of the README has no openai()')
    writeFileSync(join(cwd, 'server.mjs'), asked)
    const env = { ...supported, PORT: String(await freePort()) }
    const mounted = await start('exec node server.mjs', { cwd, env })
    await Promise.all(Object.entries(QUESTIONS).map(([path, body]) => ask(mounted.url + path, body)))
    // Each mistake ends the server, and a line says what was wrong.
    mistake('node server.mjs', { cwd, env, named: 'EADDRINUSE' })
    await stop(mounted)
    writeFileSync(join(cwd, 'keyless.mjs'), server)
    mistake('node keyless.mjs', { cwd, env, named: 'set OPENAI_API_KEY' })
    writeFileSync(join(cwd, 'misspelt.mjs'), asked.replace('model:', 'modle:'))
    mistake('node misspelt.mjs', { cwd, env, named: "unknown key 'modle'; did you mean 'model'?" })
    const old = spawnSync('node', ['-p', 'process.versions.node'], {
      env: { ...env, PATH: oldPath },
      encoding: 'utf8',
    })
    if (Number.parseInt(old.stdout, 10) < 22) {
      mistake('node server.mjs', {
        cwd,
        env: { ...env, PATH: oldPath },
        named: 'needs Node 22.19.0 or newer',
      })
    }
  })

  await play('somebody with tests in Jest', async () => {
    const cwd = join(folder, 'jest')
    mkdirSync(cwd)
    const page = { path: TESTING.path, text: sectionOf(TESTING.text, '## In Jest') }
    const [{ lines }] = shellFences(page)
    const [install, record, replay] = lines
    type('npm init -y', { cwd, env: supported })
    type(`${install} openai ../hydra/dist/tarballs/hydra-{tape,core}-*.tgz`, { cwd, env: supported })
    writeFileSync(join(cwd, 'weather.test.mjs'), codeIn(page.text))
    mistake(replay.replace('KEY=…', 'KEY=any'), {
      cwd,
      env: supported,
      named: 'record it: HYDRA_TAPE=record',
    })
    type(record, { cwd, env: { ...supported, OPENAI_BASE_URL: `${proxy.url}/v1` } })
    type(replay, { cwd, env: supported })
  })

  await play('somebody with tests', async () => {
    const cwd = join(folder, 'tests')
    mkdirSync(cwd)
    type('npm init -y', { cwd, env: supported })
    type('git init --quiet', { cwd, env: supported })
    const [, install, record, replay] = commands('You have tests')
    type(install, { cwd, env: supported })
    writeFileSync(join(cwd, 'first.test.mjs'), pasted('You have tests'))
    const early = spawnSync('bash', ['-c', replay], { cwd, env: supported, encoding: 'utf8' })
    if (early.status === 0 || !`${early.stdout}${early.stderr}`.includes('HYDRA_TAPE')) {
      throw new Error(`${replay}\nbefore there is a tape: ${early.stdout}${early.stderr}`)
    }
    const online = { ...supported, OPENAI_BASE_URL: `${proxy.url}/v1` }
    type(record, { cwd, env: online })
    // The longer page has them do the same, and commit it.
    const [page] = shellFences(TESTING).slice(1)
    writeFileSync(join(cwd, 'greeting.test.mjs'), codeIn(TESTING.text))
    type(page.lines[0], { cwd, env: online })
    await stop(proxy)
    type(replay, { cwd, env: supported })
    for (const line of page.lines.slice(1)) type(line, { cwd, env: supported })
    const added = type('git diff --cached --name-only', { cwd, env: supported })
    if (!added.includes('__tapes__/greeting.test.mjs/')) throw new Error(`no tape was added: ${added}`)
  })

  await play('mistakes', async () => {
    const cwd = join(folder, 'mistakes')
    mkdirSync(cwd)
    type('npm init -y', { cwd, env: supported })
    type('npm install --no-audit --no-fund ../hydra/dist/tarballs/*.tgz', { cwd, env: supported })
    const env = { ...supported, PATH: `${join(cwd, 'node_modules/.bin')}:${supported.PATH}` }
    for (const [line, named] of Object.entries({
      'hydra srve': 'serve',
      'hydra serve --modle gpt-5.1': '--model',
      'hydra serve --model gpt-5.1': 'OPENAI_API_KEY',
      'hydra serve --provider olama --model x': 'ollama',
      'hydra serve --port many': '--port',
      'hydra --verison': '--version',
      'hydra keys crate': 'create',
      'hydra serve --config nope.json': 'nope.json',
      'hydra run': 'hydra run claude',
      'hydra run codx': 'codx',
      'hydra explain nope.json': 'nope.json',
      'hydra-tape shw': 'show',
      'hydra-tape show nope': 'nope',
    })) {
      const { status, stderr } = spawnSync('bash', ['-c', line], {
        cwd,
        env,
        encoding: 'utf8',
        timeout: 20_000,
      })
      if (status !== 2 || stderr.trim().split('\n').length !== 1 || !stderr.includes(named)) {
        failures += 1
        console.log(`  ${line}: expected one line that names ${named}, got ${status}: ${stderr}`)
      }
    }
  })
} finally {
  await Promise.all([...running].map((child) => stop({ child })))
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failures === 0 ? 0 : 1
