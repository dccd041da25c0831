import { gzipSync } from 'node:zlib'
import { profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import type { ExchangeTape, RecordedVia, TrafficRecorder } from '../src/index.ts'
import { CHUNKED_HEAD, chunked, jsonAnswer, textEvent, WHOLE_ANSWER } from './answers.ts'
import { closing, eventually, expectNothingUnhandled } from './eventually.ts'
import { chatUpstream, messagesBody, post, startProxy } from './proxy.ts'
import { rawClient } from './raw-client.ts'
import { type Script, scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

/** A recorder that keeps the order of what it is told, and the bytes of each leg. */
class Listening implements TrafficRecorder {
  readonly told: string[] = []
  readonly legs = { client: '', upstream: '' }
  readonly sent: string[] = []
  readonly vias: RecordedVia[] = []
  headers: object = {}
  isFull = false

  begin({ name, session }: { name: string; session: string | undefined }): ExchangeTape {
    if (this.isFull) throw new Error('the disk is full')
    this.#tell(`begin ${name} ${session ?? '-'}`)
    return this.#tape
  }

  /** Pieces of one leg that follow one another count as one. */
  #tell(what: string): void {
    if (this.told.at(-1) !== what) this.told.push(what)
  }

  readonly #tape: ExchangeTape = {
    clientRequest: ({ method, path, headers }, body) => {
      this.#tell(`c> ${method} ${path}`)
      this.headers = headers
      this.sent.push(textOf(body))
    },
    upstreamRequest: ({ path }, body, via) => {
      this.#tell(`>u ${path}`)
      this.sent.push(textOf(body))
      this.vias.push(via)
    },
    upstreamHead: (status) => this.#tell(`u> ${status}`),
    upstreamData: (bytes) => {
      this.#tell('u> …')
      this.legs.upstream += textOf(bytes)
    },
    upstreamEnd: () => this.#tell('u> end'),
    clientHead: (status) => this.#tell(`>c ${status}`),
    clientData: (piece) => {
      this.#tell('>c …')
      this.legs.client += textOf(piece)
    },
    clientEnd: () => this.#tell('>c end'),
    abort: (by) => this.#tell(`abort by ${by}`),
    timeout: () => this.#tell('timeout'),
    retry: (reason) => this.#tell(`retry: ${reason}`),
    note: ({ code }) => this.#tell(`note ${code}`),
    usage: ({ output_tokens: tokens }) => this.#tell(`usage ${tokens}`),
    done: (outcome) => this.#tell(`done ${outcome}`),
  }
}

/** Bytes as text of one character each, so that pieces may be joined wherever they were cut. */
function textOf(piece: string | Uint8Array): string {
  return Buffer.from(piece).toString('latin1')
}

async function recorded(
  script: Script,
  options: object = {},
): Promise<{ url: string; port: number; heard: Listening }> {
  const upstream = await opened(scriptedUpstream(script))
  const heard = new Listening()
  const { url, port } = await opened(startProxy({ upstream: upstream.url, traffic: heard, ...options }))
  return { url, port, heard }
}

function isOver({ told }: Listening): boolean {
  return told.at(-1)?.startsWith('done') === true
}

test('an exchange is told in its order, with every byte of both legs', async () => {
  const { url, heard } = await recorded((wire) => wire.write(WHOLE_ANSWER))
  const answer = await post({ url })
  const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
  await eventually(() => isOver(heard), 'the exchange is over')
  expect(heard.told).toEqual([
    'begin node -',
    'c> POST /v1/messages',
    '>u /v1/chat/completions',
    'u> 200',
    'u> …',
    '>c 200',
    '>c …',
    ...heard.told.slice(7, -4).filter((line) => line === 'u> …' || line === '>c …'),
    '>c end',
    'usage 5',
    'u> end',
    'done answered',
  ])
  expect(heard.legs.client).toBe(text)
  expect(heard.legs.upstream).toContain('[DONE]')
  expect(heard.vias).toEqual([
    {
      upstream: 'up',
      dialect: 'openai-chat',
      model: 'm',
      toldModel: 'claude-x',
      messageId: 'msg_id',
      profile: 'generic',
    },
  ])
})

test('a request that came packed is recorded unpacked, under headers that say so', async () => {
  const { url, heard } = await recorded((wire) => wire.write(WHOLE_ANSWER))
  const body = new Uint8Array(gzipSync(messagesBody()))
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  await (await fetch(`${url}/v1/messages`, { method: 'POST', body, headers })).text()
  await eventually(() => isOver(heard), 'the exchange is over')
  expect(heard.sent[0]).toBe(messagesBody())
  expect(heard.headers).toMatchObject({ 'content-type': 'application/json', 'content-encoding': undefined })
})

/** An upstream that has no time for the first request. */
const busyAtFirst: Script = (wire, _request, index) =>
  wire.write(index === 0 ? jsonAnswer(503, { error: { message: 'busy' } }) : WHOLE_ANSWER)

test('tries that fail and their reasons are told, and so is the answer that came in the end', async () => {
  const { url, heard } = await recorded(busyAtFirst, { retries: { times: 1, pause: 1 } })
  await (await post({ url })).text()
  await eventually(() => isOver(heard), 'the exchange is over')
  expect(heard.told.slice(2, 10)).toEqual([
    '>u /v1/chat/completions',
    'u> 503',
    'u> …',
    'u> end',
    expect.stringMatching(/^retry: .*busy/),
    '>u /v1/chat/completions',
    'u> 200',
    'u> …',
  ])
})

test('an upstream that breaks off is told as such, and the client’s answer has no end', async () => {
  const { url, heard } = await recorded(async (wire) => {
    await wire.write(CHUNKED_HEAD + chunked(textEvent('Hello')))
    setTimeout(() => wire.reset(), 50)
  })
  await (await post({ url })).text().catch(() => '')
  await eventually(() => isOver(heard), 'the exchange is over')
  expect(heard.told.slice(5)).toEqual([
    '>c 200',
    '>c …',
    'abort by upstream',
    '>c …',
    'abort by proxy',
    'done failed',
  ])
  expect(heard.legs.client).toContain('event: error')
})

test('a client that leaves is told, whatever was under way', async () => {
  const scripts: readonly Script[] = [
    () => {},
    (wire) => wire.write(CHUNKED_HEAD + chunked(textEvent('Hello'))),
  ]
  for (const script of scripts) {
    // oxlint-disable-next-line no-await-in-loop
    const { port, heard } = await recorded(script)
    // oxlint-disable-next-line no-await-in-loop
    const client = await rawClient(port)
    // oxlint-disable-next-line no-await-in-loop
    await eventually(() => heard.told.includes('>u /v1/chat/completions'), 'the upstream is called')
    client.leave('RST')
    // oxlint-disable-next-line no-await-in-loop
    await eventually(() => isOver(heard), 'the exchange is over')
    expect(heard.told.slice(-2)).toEqual(['abort by client', 'done aborted'])
  }
})

test('an upstream that stays silent is told as a timeout', async () => {
  const { url, heard } = await recorded(() => {}, { timeouts: { firstByte: 300 } })
  expect((await post({ url })).status).toBe(504)
  await eventually(() => isOver(heard), 'the exchange is over')
  expect(heard.told.slice(3)).toEqual([
    'abort by proxy',
    '>c 504',
    '>c …',
    '>c end',
    'timeout',
    'done failed',
  ])
})

test('a request that makes no sense is told with its answer', async () => {
  const { url, heard } = await recorded(() => {})
  expect((await post({ url }, undefined, { body: '{"model":' })).status).toBe(400)
  expect(heard.told).toEqual([
    'begin node -',
    'c> POST /v1/messages',
    '>c 400',
    '>c …',
    '>c end',
    'done failed',
  ])
  expect(heard.sent).toEqual(['{"model":'])
})

test('what is changed of a profile is told, and a profile as it was made is not', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const heard = new Listening()
  const profile = { ...profiles.generic, maxTools: 3 }
  const { url } = await opened(
    startProxy({
      traffic: heard,
      upstreams: { up: chatUpstream(upstream.url, { profile }) },
    }),
  )
  await (await post({ url })).text()
  expect(heard.vias[0]).toMatchObject({ profile: 'generic', overrides: { maxTools: 3 } })
})

test('what a profile is told not to do is on the tape as well, though JSON has no word for it', async () => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const heard = new Listening()
  const profile = { ...profiles.deepseek, replaysThinking: undefined }
  const { url } = await opened(
    startProxy({ traffic: heard, upstreams: { up: chatUpstream(upstream.url, { profile }) } }),
  )
  await (await post({ url })).text()
  expect(JSON.parse(JSON.stringify(heard.vias[0]))).toMatchObject({
    profile: 'deepseek',
    overrides: { replaysThinking: null },
  })
})

test('a recorder that cannot go on and must not let anything through refuses the request', async () => {
  const { url, heard } = await recorded(() => {})
  heard.isFull = true
  const answer = await post({ url })
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain('nothing goes through unrecorded: the disk is full')
})
