import { writeSync } from 'node:fs'
import { createRedaction } from '../src/redact/redaction.ts'
import { createTapeRecorder } from '../src/write/tape-recorder.ts'

// A file that grows beyond the limit of the shell ends a process unless it says that it can bear it.
process.on('SIGXFSZ', () => undefined)

// Nothing is read-only for root; as somebody else, it is.
if (process.argv[3] === 'unprivileged' && process.getuid?.() === 0) process.seteuid?.(65_534)

const problems: string[] = []
const recorder = createTapeRecorder({
  folder: process.argv[2] ?? '',
  redaction: createRedaction(),
  policy: process.argv[3] === 'strict' ? 'strict' : 'lenient',
  onProblem: (message) => problems.push(message),
  tool: 'test/1',
})
const client = { name: 'full', session: undefined }
const exchange = recorder.begin(client)
exchange?.clientRequest({ method: 'POST', path: '/', headers: {} }, '{}')
exchange?.clientHead(200, {})
let calls = 0
for (; calls < 2000; calls += 1) exchange?.clientData(`data: chunk ${calls}, and some more of it!\n\n`)
exchange?.done('answered')

function beginAgain(): string {
  try {
    return recorder.begin(client) === undefined ? 'unrecorded' : 'recorded'
  } catch (thrown) {
    return `refused: ${String(thrown)}`
  }
}

const again = beginAgain()
recorder.close()
writeSync(1, JSON.stringify({ problems, calls, again }))
