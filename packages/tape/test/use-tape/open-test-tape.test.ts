import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTape } from '../../src/read/read-tape.ts'
import { openTestTape, type OpenTestTape, type TestTapeOptions } from '../../src/test/open-test-tape.ts'
import { verifyTape } from '../../src/read/verify-tape.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { SAID, scriptedModel } from './scripted-model.ts'

const ASK = { model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] }

interface Opened extends TestTapeOptions {
  readonly test?: string
  readonly id?: string
}

function open(folder: string, { test: name = 'says hello', id = name, ...options }: Opened = {}) {
  const command = 'HYDRA_TAPE=record npm test'
  const running = { file: join(folder, 'a.test.ts'), test: name, id, command }
  return openTestTape(running, { env: {}, ...options })
}

async function ask(url: string, body: object = ASK): Promise<string> {
  const headers = { authorization: 'Bearer sk-1234567890123456789012' }
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return response.text()
}

/** Records a tape with one exchange. */
async function record(folder: string): Promise<string> {
  await using model = await scriptedModel()
  const tape = await open(folder)
  await ask(model.url)
  await tape.close('passed')
  return tape.folder
}

/** Uses a tape, and closes it without a look at what happened. */
async function used(tape: OpenTestTape, act: () => Promise<unknown>): Promise<void> {
  try {
    await act()
  } finally {
    await tape.close('failed')
  }
}

test('a test records its tape in the first run, and needs no model from then on', async () => {
  const folder = temporaryFolder()
  let url: string
  {
    await using model = await scriptedModel()
    ;({ url } = model)
    const tape = await open(folder)
    expect(tape.mode).toBe('record')
    expect(await ask(url)).toContain('[DONE]')
    await tape.close('passed')
    expect(model.requests).toBe(1)
  }
  const tape = await open(folder)
  expect(tape.mode).toBe('replay')
  expect(await ask(url)).toBe(`${SAID.join('')}data: [DONE]\n\n`)
  await tape.close('passed')
  expect(tape.requests).toMatchObject([{ exchange: 1, by: 'request' }])
})

test('the tape lies beside the test, is whole, and has neither the key nor a header that is not true', async () => {
  const folder = temporaryFolder()
  const place = await record(folder)
  expect(place).toBe(join(folder, '__tapes__', 'a.test.ts', 'says-hello'))
  expect(readdirSync(join(folder, '__tapes__', 'a.test.ts'))).toEqual(['says-hello'])
  const tape = readTape(place)
  expect([...tape.problems, ...verifyTape(tape)]).toEqual([])
  expect(readFileSync(join(place, 'tape.jsonl'), 'utf8')).not.toContain('sk-123')
  const [exchange] = tape.exchanges
  expect(exchange?.request?.dialect).toBe('openai-chat')
  expect(exchange?.calls[0]?.via).toMatchObject({ passthrough: true, model: 'm' })
  expect(exchange?.answer).toMatchObject({ status: 200, ended: 'clean' })
  expect(exchange?.answer.chunks.length).toBeGreaterThan(1)
  expect(Object.keys(exchange?.answer.headers ?? {}).toSorted()).toEqual([
    'content-type',
    'date',
    'x-request-id',
  ])
})

test('a key in the query is not recorded, and another one is answered from the tape', async () => {
  const folder = temporaryFolder()
  let url: string
  {
    await using model = await scriptedModel()
    url = model.url.replace('/v1', '/v1beta/models/m:generateContent?key=')
    const tape = await open(folder)
    await fetch(`${url}of-no-shape`, { method: 'POST', body: '{"contents":[]}' }).then((answer) =>
      answer.text(),
    )
    await tape.close('passed')
    expect(readFileSync(join(tape.folder, 'tape.jsonl'), 'utf8')).not.toContain('of-no-shape')
  }
  const tape = await open(folder)
  await fetch(`${url}another`, { method: 'POST', body: '{"contents":[]}' }).then((answer) => answer.text())
  await tape.close('passed')
  expect(tape.requests).toMatchObject([{ by: 'request' }])
})

test('an answer that broke off is recorded and replayed as one', async () => {
  const folder = temporaryFolder()
  await using model = await scriptedModel({ cut: true })
  for (const mode of ['record', 'replay']) {
    // oxlint-disable-next-line no-await-in-loop -- the second run needs the first
    const tape = await open(folder)
    expect(tape.mode).toBe(mode)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect(ask(model.url)).rejects.toThrow('terminated')
    // oxlint-disable-next-line no-await-in-loop -- as above
    await tape.close('passed')
  }
  expect(model.requests).toBe(1)
})

test('a client that leaves is recorded as one', async () => {
  const folder = temporaryFolder()
  await using model = await scriptedModel()
  const tape = await open(folder)
  const response = await fetch(`${model.url}/chat/completions`, { method: 'POST', body: JSON.stringify(ASK) })
  const reader = response.body?.getReader()
  await reader?.read()
  await reader?.cancel()
  await tape.close('passed')
  expect(readTape(tape.folder).exchanges[0]?.end?.outcome).toBe('aborted')
})

test('what a failed test recorded is not kept, and an older tape stays', async () => {
  const folder = temporaryFolder()
  await using model = await scriptedModel()
  const failed = await open(folder)
  await ask(model.url)
  await failed.close('failed')
  expect(existsSync(failed.folder)).toBe(false)
  const place = await record(folder)
  const before = readFileSync(join(place, 'tape.jsonl'), 'utf8')
  const again = await open(folder, { env: { HYDRA_TAPE: 'record' } })
  expect(again.mode).toBe('record')
  await ask(model.url, { ...ASK, model: 'other' })
  await again.close('failed')
  expect(readFileSync(join(place, 'tape.jsonl'), 'utf8')).toBe(before)
})

test('where nobody says whether a test has passed, a refusal is not kept as its tape, and an answer is', async () => {
  const folder = temporaryFolder()
  const unanswered = await open(folder)
  await expect(ask('http://127.0.0.1:9/v1')).rejects.toThrow('fetch failed')
  await expect(unanswered.close('unknown')).rejects.toThrow(
    'the last request got no answer, and nothing says',
  )
  expect(existsSync(unanswered.folder)).toBe(false)
  await using refusing = await scriptedModel({ status: 401 })
  const refused = await open(folder)
  await ask(refusing.url)
  await expect(refused.close('unknown')).rejects.toThrow('was answered with status 401')
  expect(existsSync(refused.folder)).toBe(false)
  await using model = await scriptedModel()
  const answered = await open(folder)
  await ask(refusing.url)
  await ask(model.url)
  await answered.close('unknown')
  expect(readTape(answered.folder).exchanges).toHaveLength(2)
})

test('a stale tape says what changed and how to record it anew', async () => {
  const folder = temporaryFolder()
  await record(folder)
  const tape = await open(folder)
  await ask('http://model.invalid/v1', { ...ASK, messages: [{ role: 'user', content: 'Bye' }] })
  expect(tape.stale()?.message).toBe(
    `the tape ${tape.folder} no longer fits the test:\n` +
      '- no recording answers POST /v1/chat/completions: the nearest is exchange 1 where messages[0].content is "Hello" and not "Bye"\n' +
      'to record it anew: HYDRA_TAPE=record npm test',
  )
  await expect(tape.close('passed')).rejects.toThrow('no longer fits')
})

test('a test that asks for less than was recorded fails', async () => {
  const folder = temporaryFolder()
  await record(folder)
  const tape = await open(folder)
  await expect(tape.close('passed')).rejects.toThrow('nobody asked for exchange 1: POST /v1/chat/completions')
})

test.each([
  [{ CI: 'true' }, 'nothing is recorded here (CI is set); record it: HYDRA_TAPE=record npm test'],
  [{ HYDRA_TAPE: 'replay' }, 'nothing is recorded here (HYDRA_TAPE=replay)'],
  [{ CI: '1', HYDRA_TAPE: 'record' }, 'nothing is recorded where CI is set'],
  [{ HYDRA_TAPE: 'often' }, "HYDRA_TAPE: expected auto, record, replay, got 'often'"],
])('with %j a missing tape is an error', async (env, message) => {
  await expect(open(temporaryFolder(), { env })).rejects.toThrow(message)
})

test('in CI a tape that is there is replayed', async () => {
  const folder = temporaryFolder()
  await record(folder)
  const tape = await open(folder, { env: { CI: 'true' } })
  await ask('http://model.invalid/v1')
  await tape.close('passed')
})

test('two tests with one name are told so, and a test that is tried again is not', async () => {
  const folder = temporaryFolder()
  await record(folder)
  const again = await open(folder)
  await again.close('failed')
  await expect(open(folder, { id: 'another' })).rejects.toThrow(
    "two tests are called 'says hello', so both would use the tape",
  )
  await expect(open(folder, { test: 'says: hello' })).rejects.toThrow(
    "the tests 'says hello' and 'says: hello' would both use the tape",
  )
})

test('a tape of another test is not replayed', async () => {
  const folder = temporaryFolder()
  const place = await record(folder)
  const file = join(place, 'tape.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replace('says hello', 'says: hello'))
  await expect(open(folder)).rejects.toThrow(
    "was recorded for the test 'says: hello' and not for 'says hello'",
  )
})

test.each([
  ['{"tape":9,"tool":"x","started":"2026-01-01T00:00:00.000Z","redaction":"none"}\n', 'version'],
  ['\u0000\u0001 no tape\n', 'line 1'],
])('a tape that cannot be read is one clear error', async (text, message) => {
  const folder = temporaryFolder()
  const place = await record(folder)
  writeFileSync(join(place, 'tape.jsonl'), text)
  await expect(open(folder)).rejects.toThrow(message)
})

test('two tapes at once are told so, and do without the global fetch', async () => {
  const folder = temporaryFolder()
  const first = await open(folder)
  await used(first, () => expect(open(folder, { test: 'second' })).rejects.toThrow('intercept: false'))
  await using model = await scriptedModel()
  const tape = await open(folder, { test: 'third', intercept: false })
  await ask(model.url)
  await expect(tape.close('passed')).rejects.toThrow('asked no model for anything')
  const own = await open(folder, { test: 'fourth', intercept: false })
  await own.fetch(`${model.url}/chat/completions`, { method: 'POST', body: '{}' }).then((it) => it.text())
  await own.close('passed')
  expect(existsSync(own.folder)).toBe(true)
})

test('what is not for a model goes where it goes without a tape', async () => {
  await using model = await scriptedModel()
  const tape = await open(temporaryFolder())
  await used(tape, async () => expect((await fetch(`${model.url}/elsewhere`)).status).toBe(200))
})

test('a program that uses no fetch gets a URL in place of that of the model', async () => {
  const folder = temporaryFolder()
  await using model = await scriptedModel()
  for (const mode of ['record', 'replay']) {
    // oxlint-disable-next-line no-await-in-loop -- the second run needs the first
    const tape = await open(folder, { upstream: model.url })
    expect(tape.mode).toBe(mode)
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await askByHttp(`${tape.url}/chat/completions`)).toContain('[DONE]')
    // oxlint-disable-next-line no-await-in-loop -- as above
    await tape.close('passed')
  }
  expect(model.requests).toBe(1)
})

test('without that option the URL says what is missing', async () => {
  const tape = await open(temporaryFolder())
  await used(tape, async () => expect(() => tape.url).toThrow('expected the option upstream'))
})

function askByHttp(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(url, { method: 'POST' }, (response) => {
      void response.toArray().then((pieces) => resolve(Buffer.concat(pieces).toString()), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(JSON.stringify(ASK))
  })
}
