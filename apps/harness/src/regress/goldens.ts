import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { callerOf, type ReplayedAnswer, type TapedExchange } from '@hydra/tape'

/** The folder of a tape in which its expected answers are. */
export const EXPECT_FOLDER = 'expect'

const GOLDEN = /^(\d{3,})\.[\w-]+\.(?:(\d{3})\.)?(?:sse|json)$/

/** The file with the expected answer of an exchange, in its client's dialect. A status other than 200 is part of its name. */
export function goldenName(exchange: TapedExchange, { status, isStream }: ReplayedAnswer): string {
  const extension = isStream ? 'sse' : 'json'
  const spoken = status === undefined || status === 200 ? '' : `${status}.`
  const { dialect } = callerOf(exchange)
  return `${String(exchange.number).padStart(3, '0')}.${dialect}.${spoken}${extension}`
}

/** The names of all expected answers of a tape, by the number of their exchange. */
export function goldensIn(folder: string): ReadonlyMap<number, readonly string[]> {
  const expected = join(folder, EXPECT_FOLDER)
  const goldens = new Map<number, string[]>()
  if (!existsSync(expected)) return goldens
  for (const name of readdirSync(expected).toSorted()) {
    const number = Number(GOLDEN.exec(name)?.[1])
    if (!Number.isNaN(number)) goldens.set(number, [...(goldens.get(number) ?? []), name])
  }
  return goldens
}

/**
 * A link among the expected answers. A tape may come from anywhere, so that what a link points to is neither
 * compared, which would show it, nor rewritten.
 */
export function linkAmongGoldens(folder: string): string | undefined {
  const expected = join(folder, EXPECT_FOLDER)
  const found = lstatSync(expected, { throwIfNoEntry: false })
  if (found?.isSymbolicLink() === true) return EXPECT_FOLDER
  if (found?.isDirectory() !== true) return undefined
  const link = readdirSync(expected, { withFileTypes: true }).find((entry) => entry.isSymbolicLink())
  return link && join(EXPECT_FOLDER, link.name)
}

/** The bytes of an expected answer, undefined if there is none. */
export function readGolden(folder: string, name: string): Buffer | undefined {
  const path = join(folder, EXPECT_FOLDER, name)
  return existsSync(path) ? readFileSync(path) : undefined
}

/** Writes an expected answer. */
export function writeGolden(folder: string, name: string, bytes: Uint8Array): void {
  mkdirSync(join(folder, EXPECT_FOLDER), { recursive: true })
  writeFileSync(join(folder, EXPECT_FOLDER, name), bytes)
}

/** Removes an expected answer that is expected no more. */
export function removeGolden(folder: string, name: string): void {
  rmSync(join(folder, EXPECT_FOLDER, name))
}
