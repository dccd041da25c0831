// oxlint-disable no-await-in-loop -- one runtime after the other, and waiting is the point
// Starts the packed Hono adapter in workerd, Bun and Deno and asks it: node .ci/runtimes.mjs FOLDER, where the packages
// and the runtimes are installed. A runtime that is not there is named and left out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const folder = process.argv[2] ?? '.'
const SSE = { 'content-type': 'text/event-stream' }
const chunk = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

/** Answers as an OpenAI-compatible server; who is asked to hang says one word and then nothing. */
const upstream = createServer(async (request, response) => {
  const body = (await request.toArray()).join('')
  response.writeHead(200, SSE)
  response.write(chunk({ role: 'assistant', content: 'Hello' }))
  if (!body.includes('please hang')) response.end(chunk({}, 'stop') + 'data: [DONE]\n\n')
})
upstream.listen(0, '127.0.0.1')
await once(upstream, 'listening')
const url = `http://127.0.0.1:${upstream.address().port}/v1`

const MAKE = `import { generic, hydra } from '@hydra/adapter-hono'
const app = hydra({ upstreams: { up: generic({ url: '${url}' }) }, model: 'm', timeouts: { idle: 500 } })
`

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

const bin = (name) => join(folder, 'node_modules/.bin', name)

const RUNTIMES = {
  async workerd(port) {
    writeFileSync(join(folder, 'worker.js'), `${MAKE}export default app\n`)
    const wanted = [
      '--bundle',
      '--format=esm',
      '--external:node:*',
      '--external:@hydra/tokens',
      '--outfile=worker.out.js',
    ]
    await run(bin('esbuild'), ['worker.js', '--conditions=workerd,worker', '--log-level=error', ...wanted])
    writeFileSync(
      join(folder, 'worker.capnp'),
      `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "net", network = (allow = ["public", "private", "local"])) ],
  sockets = [ (name = "http", address = "127.0.0.1:${port}", http = (), service = "main") ]
);
const main :Workerd.Worker = (
  modules = [ (name = "main", esModule = embed "worker.out.js") ],
  compatibilityDate = "2026-01-01", globalOutbound = "net"
);
`,
    )
    return start(bin('workerd'), ['serve', 'worker.capnp'])
  },
  bun(port) {
    const serve = `Bun.serve({ port: ${port}, hostname: '127.0.0.1', fetch: app.fetch })\n`
    writeFileSync(join(folder, 'bun.mjs'), MAKE + serve)
    return start(bin('bun'), ['run', 'bun.mjs'])
  },
  deno(port) {
    writeFileSync(
      join(folder, 'deno.mjs'),
      `${MAKE}Deno.serve({ port: ${port}, hostname: '127.0.0.1' }, app.fetch)\n`,
    )
    return start(bin('deno'), [
      'run',
      '--no-prompt',
      '--allow-net',
      '--allow-env',
      '--allow-read',
      'deno.mjs',
    ])
  },
}

function start(command, args) {
  return spawn(command, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
}

async function run(command, args) {
  const [code] = await once(start(command, args), 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
}

async function untilUp(port, child) {
  for (let times = 0; times < 200; times += 1) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    try {
      return await (await fetch(`http://127.0.0.1:${port}/health`)).json()
    } catch {
      await sleep(100)
    }
  }
  throw new Error('nobody answers')
}

async function ask(port, content, stream) {
  const body = JSON.stringify({ model: 'm', max_tokens: 9, stream, messages: [{ role: 'user', content }] })
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  return fetch(`http://127.0.0.1:${port}/v1/messages`, { method: 'POST', headers, body })
}

function expect(text, ...words) {
  for (const word of words) if (!text.includes(word)) throw new Error(`expected ${word} in ${text}`)
}

async function check(port) {
  expect(await (await ask(port, 'Hi', false)).text(), '"text":"Hello"', '"stop_reason":"end_turn"')
  expect(await (await ask(port, 'Hi', true)).text(), '"text":"Hello"', 'event: message_stop')
  // One that waits is ended in time, although another one has come and gone meanwhile.
  const waiting = ask(port, 'please hang', true).then((answer) => answer.text())
  await (await ask(port, 'Hi', true)).text()
  expect(await waiting, '"text":"Hello"', 'event: error', 'silent for too long')
  const missing = await fetch(`http://127.0.0.1:${port}/v1/nothing`)
  if (missing.status !== 404) throw new Error(`expected 404, got ${missing.status}`)
}

let failed = false
for (const [name, begin] of Object.entries(RUNTIMES)) {
  if (!existsSync(bin(name))) {
    console.log(`${name}: not installed here, not tried`)
    continue
  }
  const port = await freePort()
  const child = await begin(port)
  try {
    await untilUp(port, child)
    await check(port)
    console.log(`${name}: answers whole and as a stream, and ends what hangs`)
  } catch (error) {
    failed = true
    console.log(`${name}: ${error.message}`)
  } finally {
    child.kill()
  }
}
upstream.closeAllConnections()
upstream.close()
process.exitCode = failed ? 1 : 0
