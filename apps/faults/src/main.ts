import { existsSync } from 'node:fs'
import { CONNECTION_FAULTS } from './cases/connections.ts'
import { COST_FAULTS } from './cases/cost.ts'
import { CUT_FAULTS } from './cases/cuts.ts'
import { LOAD_FAULTS } from './cases/load.ts'
import { SHAPE_FAULTS } from './cases/shapes.ts'
import { STALL_FAULTS } from './cases/stalls.ts'
import type { Fault, Tally } from './fault.ts'

/** What a step of the checks exits with when it has nothing to do here. */
const SKIPPED = 3

const FAULTS: readonly Fault[] = [
  ...CUT_FAULTS,
  ...SHAPE_FAULTS,
  ...STALL_FAULTS,
  ...CONNECTION_FAULTS,
  ...LOAD_FAULTS,
  ...COST_FAULTS,
]

const COLUMNS = ['tried', 'lies', 'lost', 'leaked'] as const
const WIDTH = Math.max(...FAULTS.map(({ name }) => name.length))

function line(name: string, cells: readonly string[]): string {
  return `| ${name.padEnd(WIDTH)} | ${cells.map((cell) => cell.padStart(6)).join(' | ')} |`
}

function isClean({ lies, lost, leaked }: Tally): boolean {
  return lies + lost + leaked === 0
}

/** Its number in the list of faults. */
function numberOf({ name }: Fault): string {
  return name.slice(0, name.indexOf(' '))
}

if (!existsSync('/proc/self/fd')) {
  console.log('only Linux tells what a process holds')
  process.exit(SKIPPED)
}

// `main.ts F1 F22` runs only those.
const wanted = process.argv.slice(2)
const numbers = new Set(FAULTS.map(numberOf))
const unknown = wanted.filter((number) => !numbers.has(number))
if (unknown.length > 0) {
  console.error(`no such fault: ${unknown.join(' ')}; there are ${[...numbers].join(' ')}`)
  process.exit(2)
}
console.log(line('fault', COLUMNS))
console.log(
  line(
    '-'.repeat(WIDTH),
    COLUMNS.map(() => '-----:'),
  ),
)
let areClean = true
for (const fault of FAULTS.filter((each) => wanted.length === 0 || wanted.includes(numberOf(each)))) {
  // oxlint-disable-next-line no-await-in-loop -- each has the machine to itself
  const tally = await fault.run()
  areClean &&= isClean(tally)
  console.log(
    line(
      fault.name,
      COLUMNS.map((column) => String(tally[column])),
    ),
  )
}
process.exitCode = areClean ? 0 : 1
