import { closeSync, openSync, writeSync } from 'node:fs'
import { createRedaction } from '../src/redact/redaction.ts'
import { createTapeRecorder } from '../src/write/tape-recorder.ts'

const [, , folder = '', policy] = process.argv
const problems: string[] = []
const recorder = createTapeRecorder({
  folder,
  redaction: createRedaction(),
  policy: policy === 'strict' ? 'strict' : 'lenient',
  onProblem: (message) => problems.push(message),
  tool: 'test/1',
})

/** Opens files until the system gives no more descriptors. */
function takeAll(): number[] {
  const taken: number[] = []
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'))
  } catch {
    return taken
  }
}

function begin(session: string): string {
  try {
    return recorder.begin({ name: 'crowded', session }) === undefined ? 'unrecorded' : 'recorded'
  } catch {
    return 'refused'
  }
}

const outcomes = [begin('known')]
const taken = takeAll()
outcomes.push(begin('one'), begin('two'), begin('known'))
for (const descriptor of taken) closeSync(descriptor)
outcomes.push(begin('one'))
const { failure } = recorder
recorder.close()
writeSync(1, JSON.stringify({ problems, outcomes, failure: failure ?? null }))
