import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readTape, verifyTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { answer, beginStream, endStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, runHydra, startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { temporaryFolder } from './temporary.ts'
import { type Script, startUpstream, type Upstream } from './upstream.ts'

const opened = closing()

function folder(): string {
  return join(temporaryFolder(), 'tapes')
}

function tapesIn(root: string): string[] {
  if (!existsSync(root)) return []
  return readdirSync(root)
    .filter((name) => name !== '.gitignore')
    .map((name) => join(root, name))
}

/** Everything in a folder, as text of one character per byte. */
function everythingIn(root: string): string {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

async function recording(
  script: Script,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<{ hydra: Hydra; root: string; upstream: Upstream }> {
  const upstream = await opened(startUpstream(script))
  const root = folder()
  const target = ['--target-url', upstream.url, '--model', 'm', '--record', root]
  const hydra = await opened(startHydra([...target, ...args], env))
  return { hydra, root, upstream }
}

test('a session is recorded byte for byte on both legs, in a folder for nobody else', async () => {
  const { hydra, root, upstream } = await recording(answer({ text: 'Grüße 🐉' }))
  expect(hydra.output()).toContain(`recording to ${root}`)
  const headers = { 'x-claude-code-session-id': 'one' }
  const first = await (await post(hydra, { stream: true }, headers)).text()
  await (await post(hydra, { stream: true }, headers)).text()
  await (await post(hydra, { stream: true }, { 'x-claude-code-session-id': 'two' })).text()
  hydra.signal('SIGTERM')
  await hydra.ended
  const tapes = tapesIn(root).map((tape) => readTape(tape))
  expect(tapes.map(({ exchanges }) => exchanges.length).toSorted((one, other) => one - other)).toEqual([1, 2])
  expect(tapes.flatMap((tape) => verifyTape(tape))).toEqual([])
  const [exchange] = tapes.find(({ exchanges }) => exchanges.length === 2)?.exchanges ?? []
  expect(Buffer.concat(exchange?.answer.chunks.map(({ bytes }) => bytes) ?? []).toString()).toBe(first)
  expect(Buffer.from(exchange?.calls[0]?.request.body ?? []).toString()).toBe(
    upstream.seen[0]?.bytes.toString(),
  )
  expect(exchange?.calls[0]?.via).toMatchObject({ upstream: 'openai', profile: 'openai', model: 'm' })
  expect(statSync(root).mode & 0o777).toBe(0o700)
  expect(statSync(join(tapesIn(root)[0] ?? '', 'tape.jsonl')).mode & 0o777).toBe(0o600)
})

const CANARIES = ['upstream', 'client', 'guard', 'spoken'].map((name) => `canary${name}0123456789abcdef`)

test('no key reaches a tape, wherever it turns up and however it is cut', async () => {
  const [upstreamKey = '', clientKey = '', guardKey = '', spoken = ''] = CANARIES
  const script: Script = async (seen, response, number) => {
    const sent = String(seen.headers.authorization).replace('Bearer ', '')
    if (number === 0) return refuse(401, { message: `wrong key ${sent}` })(seen, response, number)
    beginStream(response)
    for (const letter of `I know ${spoken} and ${sent}.`) writeChunk(response, { content: letter })
    const pieces = ['{"a":"', ...spoken.split(''), '"}']
    for (const [index, piece] of pieces.entries()) {
      const head = index === 0 ? { id: 'c1', type: 'function' } : {}
      const named = index === 0 ? { name: 'T', arguments: piece } : { arguments: piece }
      writeChunk(response, { tool_calls: [{ index: 0, ...head, function: named }] })
    }
    return endStream(response, 'tool_calls')
  }
  const env = { OPENAI_API_KEY: upstreamKey, SPOKEN_SECRET: spoken, SERVICE_TOKEN: clientKey }
  const { hydra, root } = await recording(script, ['--key', guardKey], env)
  const headers = { 'x-hydra-key': guardKey, 'x-api-key': clientKey, cookie: `s=${clientKey}` }
  const messages = [{ role: 'user', content: `my key is ${clientKey}, yours ${spoken}` }]
  for (const stream of [true, true, false]) {
    // oxlint-disable-next-line no-await-in-loop
    await (await post(hydra, { stream, messages }, headers)).text()
  }
  hydra.signal('SIGTERM')
  await hydra.ended
  const recorded = everythingIn(root)
  for (const canary of CANARIES) {
    expect(recorded).not.toContain(canary)
    expect(hydra.output()).not.toContain(canary)
  }
  const [tape] = tapesIn(root).map((name) => readTape(name))
  expect(tape?.exchanges).toHaveLength(3)
  const streamed = Buffer.concat(tape?.exchanges[1]?.answer.chunks.map(({ bytes }) => bytes) ?? []).toString()
  const letters = [...streamed.matchAll(/"text":"(.)"/g)].map(([, letter]) => letter).join('')
  expect(letters).toMatch(/^I know ~K\d+-*~ and ~K\d+-*~\.$/)
})

test('a folder that cannot be written does not stop the traffic, and is said once', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
  // A file where a folder should be stops also those whom no permission stops.
  const args = ['--target-url', upstream.url, '--model', 'm', '--record', join(process.execPath, 'tapes')]
  const hydra = await opened(startHydra(args))
  for (let time = 0; time < 3; time += 1) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await post(hydra, {})).status).toBe(200)
  }
  await eventually(
    () => /record|tape/.exec(hydra.output().split('recording to')[1] ?? '') ?? undefined,
    'the complaint',
  )
  expect(hydra.output().match(/ENOTDIR/g)).toHaveLength(1)
})

test('with the policy strict nothing goes through that is not recorded', async () => {
  const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
  const args = ['--target-url', upstream.url, '--model', 'm', '--record', join(process.execPath, 'tapes')]
  const hydra = await opened(startHydra([...args, '--record-policy', 'strict']))
  const refused = await post(hydra, {})
  expect(refused.status).toBe(503)
  expect(await refused.text()).toContain('nothing goes through unrecorded')
  expect(upstream.seen).toHaveLength(0)
})

test('mistakes in what was typed are told', async () => {
  expect((await runHydra(['serve', '--record-policy', 'never', '--record', 'x'])).stderr).toContain(
    'lenient or strict',
  )
  expect((await runHydra(['serve', '--record-policy', 'strict'])).stderr).toContain('without --record')
  expect((await runHydra(['serve', '--record='])).stderr).toContain('--record: expected a value')
})
