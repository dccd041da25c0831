import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import type { TapedAnswer } from '@hydra/tape'
import { sceneExchange, sceneTape, spoken } from '@hydra/testkit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conversation } from '../../test/demo-session.ts'
import { summarizeSession } from '../summary/summarize-session.ts'
import { viewerBundle } from '../bundle/viewer-bundle.ts'
import { buildPage } from './build-page.ts'
import { eventRows } from './event-rows.ts'
import { readEvents } from './read-events.ts'
import { PieceTable, requestParts } from './request-parts.ts'
import { scriptJson } from './script-json.ts'

const bundle = await viewerBundle()

function pageOf(tape = conversation()): string {
  return buildPage([{ tape, summary: summarizeSession(tape) }], bundle)
}

function answerIn(pieces: readonly Uint8Array[]): TapedAnswer {
  const chunks = pieces.map((bytes, at) => ({ at, bytes }))
  return { status: 200, headers: {}, at: 0, chunks, ended: 'clean' }
}

function hash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

test('any JSON inside a script element is the same value, and no character of it means anything to HTML', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('</script>', '<!--', '&lt;', '\u2028', ']]>'),
      (value, evil) => {
        const text = scriptJson([value, evil])
        expect(text).not.toMatch(/[<>&\u2028\u2029]/)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify([value, evil])))
      },
    ),
  )
})

test('the policy allows the styles and the script of the page by their hashes, and nothing else', () => {
  const page = pageOf()
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []
  const [, styles = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? []
  const [, script = ''] = /<script type="module">([^]*?)<\/script>/.exec(page) ?? []
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `style-src ${hash(styles)}`,
    `script-src ${hash(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ])
})

test('the script is JavaScript that cannot end its element, and our own code makes no markup of text', () => {
  expect(() => new Script(bundle.script)).not.toThrow()
  expect(bundle.script).not.toMatch(/<\/script|<!--/i)
  const folder = new URL('../../viewer/', import.meta.url)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.tsx') || name.endsWith('.ts'))
  const code = sources.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n')
  expect(code.length).toBeGreaterThan(10_000)
  expect(code).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(/)
})

test('a page refers to nothing outside of itself', () => {
  const outside = pageOf().replaceAll(/<script[^]*?<\/script>/g, '')
  expect(outside).not.toMatch(/\b(?:src|href)\s*=|url\(|@import|https?:\/\//)
  // The namespaces of SVG and MathML are names and no addresses.
  expect(bundle.script.replaceAll(/https?:\/\/www\.w3\.org\/[\w/]+/g, '')).not.toMatch(/https?:\/\//)
})

test('the parts of a history that is sent again are in the page once', () => {
  const phrase = 'a phrase that is said only once in this session'
  const first = { role: 'user', content: phrase }
  const scenes = Array.from({ length: 20 }, (_, turn) => ({
    messages: [first, ...Array.from({ length: turn }, (__, at) => ({ role: 'user', content: `turn ${at}` }))],
  }))
  const [, pieces = ''] = /id="pieces">([^]*?)<\/script>/.exec(pageOf(sceneTape('long', scenes))) ?? []
  expect(pieces.split(phrase)).toHaveLength(2)
})

test('events are the same however their bytes are cut, each at the time of its last byte', () => {
  const text = 'data: {"a":"ä"}\n\nevent: x\r\ndata: 1\r\ndata: 2\r\n\r\n: ping\n\ndata: [DONE]\n\n'
  const bytes = Buffer.from(text)
  const expected = readEvents(answerIn([bytes])).map(({ event }) => event)
  expect(expected.map(({ name, data, cut }) => [name, data, cut])).toEqual([
    ['', '{"a":"ä"}', undefined],
    ['x', '1\n2', undefined],
    ['comment', ': ping', undefined],
    ['', '[DONE]', undefined],
  ])
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length })), (cuts) => {
      const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length]
      const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
      expect(readEvents(answerIn(pieces)).map(({ event }) => event)).toEqual(expected)
    }),
  )
  const singles = Array.from(bytes, (byte) => Uint8Array.of(byte))
  expect(readEvents(answerIn(singles))[0]?.at).toBe(Buffer.from('data: {"a":"ä"}\n\n').length - 1)
})

test('an event whose end never came is marked, and what is no event is shown as it stands', () => {
  expect(readEvents(answerIn([Buffer.from('data: {"a":')]))[0]?.event).toMatchObject({
    data: '{"a":',
    cut: true,
  })
  expect(readEvents(answerIn([Buffer.from('{"error":{"message":"no"}}')]))[0]?.event).toMatchObject({
    name: 'body',
    hint: 'no',
  })
  expect(readEvents(answerIn([Buffer.from('error: oops\n\n')]))[0]?.event).toMatchObject({
    name: 'other',
    data: 'error: oops',
  })
})

test('each row is what came from the upstream and what the client got because of it', () => {
  const rows = eventRows(sceneExchange({ events: spoken({ text: ['One', 'Two'] }) }))
  const seen = rows.map(({ upstream, client }) => [
    upstream.map(({ hint }) => hint),
    client.map(({ name }) => name),
  ])
  expect(seen.slice(1, 3)).toEqual([
    [['"One"'], ['message_start', 'content_block_start', 'content_block_delta']],
    [['"Two"'], ['content_block_delta']],
  ])
  expect(rows.flatMap(({ upstream }) => upstream)).toHaveLength(6)
  expect(rows.at(-1)?.client.at(-1)?.name).toBe('message_stop')
})

test('a body that is no JSON object is one part', () => {
  const table = new PieceTable()
  const request = { method: 'POST', path: '/', headers: {}, at: 0 }
  expect(requestParts({ ...request, body: Buffer.from('<html>') }, table)).toEqual([
    { label: 'body', piece: 0 },
  ])
  expect(requestParts({ ...request, body: Buffer.from('') }, table)).toEqual([])
  expect(table.list).toEqual(['<html>'])
})

test('a page is made of any bytes, and its data is still data', () => {
  const BYTES = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), fc.constant('</script><script>'))
  fc.assert(
    fc.property(BYTES, fc.array(BYTES), BYTES, (body, events, name) => {
      const page = pageOf(
        sceneTape(name, [{ body, events, notes: [{ code: body, path: name, message: body }] }]),
      )
      const elements = [...page.matchAll(/<script type="application\/json" id="[\w-]+">([^]*?)<\/script>/g)]
      expect(elements).toHaveLength(3)
      for (const [, data = ''] of elements) expect(() => void JSON.parse(data)).not.toThrow()
      expect(page.match(/<script/g)).toHaveLength(4)
    }),
    { numRuns: 40 },
  )
})
