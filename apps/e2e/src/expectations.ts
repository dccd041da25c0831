import type { Outcome } from './processes.ts'
import type { Received } from './upstream/strict-upstream.ts'

const SHOWN = 400

/** Fails a scenario with a reason. */
export function expect(isTrue: boolean, reason: string): asserts isTrue {
  if (!isTrue) throw new Error(reason)
}

/** Expects a session that ended well and printed a text. */
export function expectPrinted(outcome: Outcome, text: string): void {
  expectExit(outcome, 0)
  expect(outcome.stdout.includes(text), `expected '${text}' to be printed, got ${shown(outcome)}`)
}

/** Expects a session that ended by itself with an exit code. */
export function expectExit(outcome: Outcome, code: number): void {
  expect(!outcome.isTimeout, `still running after ${outcome.seconds.toFixed(0)} s: ${shown(outcome)}`)
  expect(outcome.code === code, `expected exit code ${code}, got ${outcome.code}: ${shown(outcome)}`)
}

/** Expects a session that failed by itself, with words that say why. */
export function expectFailure(outcome: Outcome, words: RegExp): void {
  expectExit(outcome, 1)
  const said = `${outcome.stdout}${outcome.stderr}`
  expect(words.test(said), `expected an explanation like ${words}, got ${shown(outcome)}`)
}

/** Expects each request to begin with the bytes of the one before it, or the upstream's prompt cache is lost. */
export function expectSamePrefix(received: readonly Received[]): void {
  for (const [index, { request }] of received.entries()) {
    const before = received[index - 1]?.request.text
    if (before === undefined) continue
    // The last two bytes close the list of messages and the body.
    const at = firstDifference(before.slice(0, -2), request.text)
    expect(
      at === undefined,
      `request ${index} differs from the one before at byte ${at}: ` +
        `…${before.slice((at ?? 0) - 80, (at ?? 0) + 80)}… became …${request.text.slice((at ?? 0) - 80, (at ?? 0) + 80)}…`,
    )
  }
}

function firstDifference(prefix: string, text: string): number | undefined {
  if (text.startsWith(prefix)) return undefined
  let at = 0
  while (prefix[at] === text[at]) at += 1
  return at
}

/** The end of what a session has printed. */
function shown({ stdout, stderr }: Outcome): string {
  const errors = stderr.trim() === '' ? '' : ` and on stderr ${JSON.stringify(stderr.trim().slice(-SHOWN))}`
  return `${JSON.stringify(stdout.trim().slice(-SHOWN))}${errors}`
}
