import { readdirSync, readFileSync } from 'node:fs'
import { homedir, hostname, release } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTape, type Tape } from '@hydra/tape'

/** A shorter sentence is nobody's. */
const MIN_SENTENCE_LENGTH = 40

/** Tags are no words of a sentence. */
const SENTENCE_END = /(?<=[.!?;:])\s+|\n|<\/?[\w-]+>/

/** Throws if a tape still holds sentences of the originals, or anything that tells where it was recorded. */
export function checkFolder(folder: string, originals: Iterable<string>): void {
  const places = [...filesIn(folder), ...answersOf(readTape(folder))]
  for (const { place, text } of places) {
    const trace = TRACES.find((word) => text.includes(word))
    if (trace !== undefined) throw new Error(`${place} tells of this machine: ${trace}`)
  }
  const letters = places.map(({ place, text }) => ({ place, text: lettersOf(text) }))
  for (const sentence of sentencesOf(originals)) {
    const left = letters.find(({ text }) => text.includes(lettersOf(sentence)))
    if (left !== undefined) throw new Error(`${left.place} still holds '${sentence}'`)
  }
}

/** All sentences of texts that are long enough to be somebody's. */
export function sentencesOf(texts: Iterable<string>): ReadonlySet<string> {
  const sentences = [...texts].flatMap((text) => text.split(SENTENCE_END))
  return new Set(
    sentences.map((sentence) => sentence.trim()).filter(({ length }) => length >= MIN_SENTENCE_LENGTH),
  )
}

/** The letters and digits alone: what JSON escapes, once or twice, makes no difference. */
function lettersOf(text: string): string {
  return text.replaceAll(/\\+[nrtbf]|\\+u[\da-f]{4}|[^\p{L}\p{N}]+/gu, '')
}

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url))

const TRACES: readonly string[] = [homedir(), hostname(), release(), REPOSITORY].filter(
  ({ length }) => length > 4,
)

interface Place {
  readonly place: string
  readonly text: string
}

function filesIn(folder: string): Place[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((place) => ({ place, text: readFileSync(place, 'utf8') }))
}

/** A sentence that is cut into chunks shows only when they are put together. */
function answersOf({ exchanges }: Tape): Place[] {
  return exchanges.flatMap(({ number, answer, calls }) =>
    [answer, ...calls.map((call) => call.answer)].map(({ chunks }) => ({
      place: `an answer of exchange ${number}`,
      text: Buffer.concat(chunks.map(({ bytes }) => bytes)).toString(),
    })),
  )
}
