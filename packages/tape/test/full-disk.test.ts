import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readTape } from '../src/read/read-tape.ts'
import { verifyTape } from '../src/read/verify-tape.ts'
import { TapeWriter } from '../src/write/tape-writer.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PROGRAM = fileURLToPath(new URL('record-on-full-disk.ts', import.meta.url))

interface Account {
  readonly problems: readonly string[]
  readonly calls: number
  readonly again: string
}

/** Records where no file may be larger than a few blocks, as on a disk that is full. */
function recordWithLimit(folder: string, policy: string): Account {
  const script = 'ulimit -f 8; exec "$0" "$@"'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, PROGRAM, folder, policy], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Account
}

test('a file that cannot grow stops the recording with one message; the calls go on, the tape is whole', () => {
  const folder = join(temporaryFolder(), 'tapes')
  const { problems, calls, again } = recordWithLimit(folder, 'lenient')
  expect(problems).toEqual([expect.stringMatching(/^the recording in .*tape\.jsonl stopped: .*\(EFBIG\)$/)])
  expect([calls, again]).toEqual([2000, 'unrecorded'])
  const name = readdirSync(folder).find((entry) => entry !== '.gitignore') ?? ''
  const tape = readTape(join(folder, name))
  expect(verifyTape(tape)).toEqual([])
  expect(tape.exchanges[0]?.answer.chunks.length).toBeGreaterThan(20)
  expect(tape.exchanges[0]?.end).toBeUndefined()
})

test('with the policy strict the next request is refused', () => {
  const { problems, again } = recordWithLimit(join(temporaryFolder(), 'tapes'), 'strict')
  expect(problems).toHaveLength(1)
  expect(again).toMatch(/^refused: TapeError: .*EFBIG/)
})

test('a full device is told once, by its reason', () => {
  const problems: string[] = []
  const writer = new TapeWriter({
    folder: temporaryFolder(),
    descriptor: openSync('/dev/full', 'a'),
    size: 0,
    line: 0,
    exchange: 0,
    at: 0,
    onProblem: (message) => problems.push(message),
  })
  for (let at = 1; at < 5; at += 1)
    writer.append({ at, exchange: 1, leg: '', type: 'mark', data: { text: 'x' } })
  writer.close()
  expect(problems).toEqual([expect.stringMatching(/stopped: no space left on device \(ENOSPC\)$/)])
})

test('a folder that may only be read is told once, and the calls go on', () => {
  const root = temporaryFolder()
  const folder = join(root, 'tapes')
  mkdirSync(folder)
  chmodSync(root, 0o755)
  chmodSync(folder, 0o555)
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, folder, 'unprivileged'], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const { problems, calls, again } = JSON.parse(stdout) as Account
  expect(problems).toEqual([
    expect.stringMatching(/tapes.*cannot be recorded: permission denied \(EACCES\)$/),
  ])
  expect([calls, again]).toEqual([2000, 'unrecorded'])
})

/** What becomes of requests before, while and after a process has no descriptor left. */
function recordWithoutDescriptors(policy: string): unknown {
  const program = fileURLToPath(new URL('record-without-descriptors.ts', import.meta.url))
  const folder = join(temporaryFolder(), 'tapes')
  const script = 'ulimit -n 128; exec "$0" "$@"'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, program, folder, policy], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test.each([
  ['lenient', 'unrecorded'],
  ['strict', 'refused'],
])('a want of descriptors passes, and recording goes on by itself (%s)', (policy, meanwhile) => {
  expect(recordWithoutDescriptors(policy)).toEqual({
    outcomes: ['recorded', meanwhile, meanwhile, 'recorded', 'recorded'],
    problems: [
      expect.stringMatching(/EMFILE.*; the next request tries again$/),
      'recording goes on; 2 of the requests before were not recorded',
    ],
    failure: null,
  })
})
