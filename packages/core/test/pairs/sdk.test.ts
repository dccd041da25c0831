import { expect, test } from 'vitest'
import { readerOf } from './client-reader.ts'
import { playedFixtures, playFixture } from './played-fixtures.ts'
import { sdkOf } from './sdk-readers.ts'

const played = playedFixtures().map((fixture) => {
  const { client, upstream, name } = fixture
  const { output } = playFixture(fixture)
  return { client, upstream, name, output, told: readerOf(client).read(output) }
})

const bad = played.filter(({ told }) => told.error !== undefined)
/** Arguments that are no JSON object: what an SDK does with them is its own affair. */
const unparsed = played.filter(({ told }) =>
  told.blocks.some((block) => block.type === 'tool_use' && typeof block.input === 'string'),
)
const good = played.filter((fixture) => !bad.includes(fixture) && !unparsed.includes(fixture))

test('there are fixtures of all kinds', () => {
  expect(Math.min(good.length, bad.length)).toBeGreaterThan(100)
  expect(unparsed.length).toBeGreaterThan(0)
})

test.for(good)('$client × $upstream: its SDK reads $name', async ({ client, output, told }) => {
  const { text, calls } = await sdkOf(client)(output)
  expect(text).toBe(told.blocks.map((block) => (block.type === 'text' ? block.content : '')).join(''))
  expect(calls).toEqual(
    told.blocks.flatMap((block) => (block.type === 'tool_use' ? [[block.id, block.name, block.input]] : [])),
  )
})

test.for(bad)(
  '$client × $upstream: its SDK throws at $name and says why',
  async ({ client, output, told }) => {
    const words = told.error ?? ''
    // Some SDKs show the words as they are, some the whole error as JSON.
    const shown = [words, JSON.stringify(words).slice(1, -1)].map(escaped).join('|')
    await expect(sdkOf(client)(output)).rejects.toThrow(new RegExp(shown))
  },
)

function escaped(words: string): string {
  return words.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
