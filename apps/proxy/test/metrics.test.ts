import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra } from './hydra.ts'
import { ask, askInTurn, killOne } from './several-processes.ts'
import { configFile } from './temporary.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

async function start(...args: string[]): Promise<Hydra> {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  return opened(startHydra(['--target-url', upstream.url, '--model', 'm', '--log', 'json', ...args]))
}

async function figures({ url }: Hydra): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { connection: 'close' } })
  expect(response.status).toBe(200)
  return response.text()
}

function requestsIn(text: string): number {
  return Number(/^hydra_requests_total\{.*outcome="answered"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** What promtool finds wrong with figures, where it is installed. */
function faultsOf(text: string): string {
  if (!existsSync('/usr/bin/promtool')) return ''
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: text,
    encoding: 'utf8',
  })
  return status === 0 ? '' : `${stdout}${stderr}`
}

test('metrics are there when they are asked for, in a form that promtool takes', async () => {
  const hydra = await start('--metrics')
  await askInTurn(hydra, 2)
  const text = await figures(hydra)
  expect(requestsIn(text)).toBe(2)
  expect(text).toContain('process_cpu_seconds_total ')
  expect(faultsOf(text)).toBe('')
})

test('metrics are off by default, and behind the key', async () => {
  const without = await start()
  expect((await fetch(`${without.url}/metrics`)).status).toBe(404)
  const locked = await start('--metrics', '--key', 'secret')
  expect((await fetch(`${locked.url}/metrics`)).status).toBe(401)
  const headers = { authorization: 'Bearer secret' }
  expect((await fetch(`${locked.url}/metrics`, { headers })).status).toBe(200)
})

test('whichever of several processes is asked, it has the sums of all, also of one that has ended', async () => {
  const hydra = await start('--metrics', '--workers', '2')
  await askInTurn(hydra, 6)
  const texts = [await figures(hydra), await figures(hydra), await figures(hydra)]
  expect(texts.map(requestsIn)).toEqual([6, 6, 6])
  const [text = ''] = texts
  const workers = new Set(
    [...text.matchAll(/^process_resident_memory_bytes\{worker="(\d+)"\}/gm)].map(([, id]) => id),
  )
  expect(workers.size).toBe(2)
  expect(faultsOf(text)).toBe('')
  await killOne(hydra)
  expect(requestsIn(await figures(hydra))).toBe(6)
})

test('the log says what an exchange cost at the prices of the configuration, and in the figures it is a sum', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  const config = configFile(
    JSON.stringify({
      upstreams: { mine: { url: upstream.url } },
      routes: [{ upstream: 'mine', model: 'm' }],
      prices: { mine: { '*': { input: 1_000_000, output: 0 } } },
      metrics: true,
    }),
  )
  const hydra = await opened(startHydra(['--config', config, '--log', 'json']))
  await ask(hydra)
  const cost = await eventually(
    () => /"cost":\{"usd":(\d+),"savedByCache":0\}/.exec(hydra.output())?.[1],
    'a cost',
  )
  expect(await figures(hydra)).toContain(`hydra_cost_usd_total{upstream="mine",model="m"} ${cost}`)
})

test('a request that waits is in the log before it has an answer', async () => {
  const upstream = await opened(startUpstream(() => {}))
  const hydra = await opened(startHydra(['--target-url', upstream.url, '--model', 'm']))
  const stop = new AbortController()
  const body = JSON.stringify({ model: 'x', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })
  const headers = { 'content-type': 'application/json' }
  const { signal } = stop
  const asked = fetch(`${hydra.url}/v1/messages`, { method: 'POST', headers, body, signal }).catch(
    () => undefined,
  )
  await eventually(() => hydra.output().includes('waiting: no answer for 2.00s'), 'the line of the log')
  stop.abort()
  await asked
})
