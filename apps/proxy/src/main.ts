import { reportCrashes, runProgram } from '@hydra/cli'
import { HYDRA } from './cli/program.ts'

reportCrashes('hydra')

// A log collector that is gone must not take the proxy with it: an error without a listener would end the process.
process.stderr.on('error', () => {})

// Node would open a debugger on this signal, which runs whatever it is sent.
process.on('SIGUSR1', () => {})

try {
  process.exitCode = await runProgram(HYDRA, process.argv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
  })
} finally {
  // The line between the first process and its workers would keep both alive.
  process.channel?.unref()
}
