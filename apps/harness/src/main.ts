import { reportCrashes, starterSignal } from '@hydra/cli'
import { runCommandLine } from './cli/run-command-line.ts'
import { COMMANDS } from './commands.ts'

reportCrashes('hydra-tape')

const stop = new AbortController()
const gone = await starterSignal(process.env)
gone.addEventListener('abort', () => stop.abort(new Error('interrupted')))
// The first signal ends the work in an orderly way, the second one ends the process.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error('interrupted')))
}
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

// Standard error has no reader any more; the work itself goes on.
process.stderr.on('error', () => {})

process.exitCode = await runCommandLine(COMMANDS, process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  env: process.env,
  signal: stop.signal,
  isTerminal: process.stderr.isTTY,
  hasColours: process.stdout.isTTY && !process.env['NO_COLOR'],
})
