import { type Command, helpText, parseCommandLine } from './command-line.ts'
import { fullName, isOver, report } from './report.ts'
import { suites } from './suites.ts'

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (thrown) {
  console.error(`bench: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
  process.exitCode = 2
}

async function run(given: readonly string[]): Promise<number> {
  const command = parseCommandLine(given)
  if (command.isHelp) {
    console.log(helpText())
    return 0
  }
  const over: string[] = []
  // One after the other: suites that run together would measure each other.
  // oxlint-disable-next-line no-await-in-loop
  for (const name of command.suites) over.push(...(await runSuite(name, command)))
  if (over.length === 0) return 0
  console.log(`\nover the limit: ${over.join('; ')}`)
  return command.isCheck ? 1 : 0
}

/** Runs one suite, prints its table, and gives back the names of the figures that are too high. */
async function runSuite(name: string, command: Command): Promise<readonly string[]> {
  const suite = await suites.get(name)?.load()
  if (suite === undefined) return []
  const figures = await suite((what) => console.error(`${name}: ${what} ...`), command)
  console.log(`\n${report(name, figures)}`)
  return figures.filter(isOver).map(fullName)
}
