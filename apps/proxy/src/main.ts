#!/usr/bin/env -S node --max-semi-space-size=8
import { runProgram } from '@hydra/cli'
import { COMMANDS, HELP } from './cli/commands.ts'
import { VERSION } from './version.ts'

try {
  process.exitCode = await runProgram(
    { name: 'hydra', version: VERSION, help: HELP, commands: COMMANDS, defaultCommand: 'serve' },
    process.argv.slice(2),
    {
      out: (text) => void process.stdout.write(text),
      err: (text) => void process.stderr.write(text),
      env: process.env,
    },
  )
} finally {
  // The line between the first process and its workers would keep both alive.
  process.channel?.unref()
}
