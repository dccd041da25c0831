// Has a real Prometheus scrape a real proxy with two processes and a key, and asks Prometheus what it got.
/* oxlint-disable no-await-in-loop -- one after the other, and polling */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const REQUESTS = 7
const KEY = 'key-of-the-scraper'
const folder = mkdtempSync(join(tmpdir(), 'hydra-metrics-'))
const children = []

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

function start(command, args, env = process.env) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  children.push(child)
  return child
}

async function eventually(look, what) {
  for (const deadline = Date.now() + 60_000; ;) {
    const value = await look().catch(() => undefined)
    if (value) return value
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await sleep(200)
  }
}

async function ask(url) {
  const headers = { 'content-type': 'application/json', 'x-api-key': KEY, connection: 'close' }
  const body = JSON.stringify({
    model: 'x',
    max_tokens: 9,
    stream: true,
    messages: [{ role: 'user', content: 'Hi' }],
  })
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
  if (!(await response.text()).includes('message_stop'))
    throw new Error(`expected an answer, got ${response.status}`)
}

function check(text) {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`promtool: ${stdout}${stderr}`)
}

async function run() {
  const [port, own] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const flags = ['--port', port, '--workers', '2', '--metrics', '--log', 'silent'].map(String)
  start(process.execPath, ['apps/proxy/src/main.ts', 'serve', ...flags], {
    PATH: process.env.PATH,
    HOME: folder,
    HYDRA_KEY: KEY,
  })
  await eventually(
    async () => (await fetch(`${url}/health`, { headers: { 'x-api-key': KEY } })).ok,
    'the proxy',
  )
  for (let count = 0; count < REQUESTS; count += 1) await ask(url)
  if ((await fetch(`${url}/metrics`)).status !== 401) throw new Error('expected no metrics without the key')
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${KEY}` } })
  check(await metrics.text())
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    `scrape_configs:
  - job_name: hydra
    scrape_interval: 1s
    authorization: { credentials: ${KEY} }
    static_configs: [{ targets: ['127.0.0.1:${port}'] }]
`,
  )
  start('prometheus', [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${own}`,
    '--log.level=error',
  ])
  const query = async (text) => {
    const response = await fetch(`http://127.0.0.1:${own}/api/v1/query?query=${encodeURIComponent(text)}`)
    const { data } = await response.json()
    return data.result[0]?.value[1]
  }
  await eventually(async () => (await query('up{job="hydra"}')) === '1', 'a scrape that worked')
  for (const [text, wanted] of [
    ['sum(hydra_requests_total{outcome="answered"})', String(REQUESTS)],
    ['sum(hydra_time_to_first_token_seconds_count)', String(REQUESTS)],
    ['count(process_resident_memory_bytes)', '2'],
    ['sum(hydra_requests_active)', '0'],
  ]) {
    await eventually(async () => (await query(text)) === wanted, `${text} = ${wanted}`)
    console.log(`${text} = ${wanted}`)
  }
  const p99 = await query('histogram_quantile(0.99, sum by (le) (hydra_request_duration_seconds_bucket))')
  if (!(Number(p99) > 0)) throw new Error(`expected a quantile of the durations, got ${p99}`)
}

try {
  await run()
} finally {
  for (const child of children) child.kill()
  await Promise.all(children.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  rmSync(folder, { recursive: true, force: true })
}
