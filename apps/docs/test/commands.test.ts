import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { mistakeIn, namesTarget, readTarget } from '../src/commands/check-command.ts'
import { type Fence, inlineCommands, shellFences } from '../src/commands/fences.ts'
import { runLines } from '../src/commands/run-fence.ts'
import { typedCommand } from '../src/commands/typed-command.ts'
import { createWorld } from '../src/commands/world.ts'
import type { Document } from '../src/document.ts'
import { generatedPages } from '../src/pages/site-pages.ts'
import { documentPaths, readText } from '../src/repository.ts'

const DOCUMENTS: readonly Document[] = [
  ...documentPaths().map((path) => ({ path, text: readText(path) })),
  ...generatedPages(),
]
const FENCES = DOCUMENTS.flatMap(shellFences)

/** Everything that is documented is run, also what takes long or differs only in a name: `.ci/run docs` sets it. */
const RUNS_ALL = process.env['HYDRA_DOCS_ALL'] === '1'
const IS_SLOW = /\b(?:tape chaos|--through)\b/

const world = createWorld()
afterAll(() => world.remove())

/** Blocks that are the same in several places are run once. */
const DISTINCT = [...new Map(FENCES.map((fence) => [fence.lines.join('\n'), fence])).values()]

/** Programs that a test cannot run, and why. */
const NOT_HERE: Readonly<Record<string, string>> = {
  docker: 'needs a container engine',
  kubectl: 'needs a cluster',
  systemctl: 'needs the system’s own service manager',
  launchctl: 'needs macOS',
  sudo: 'needs rights over the machine',
  npm: '.ci/run packages and newcomers install from packed packages',
}

const HERE: ReadonlySet<string> = new Set(['hydra', 'hydra-tape', 'git', 'export', 'claude', 'curl', 'node'])

function whyNot({ whyNot: reason, lines }: Fence): string | undefined {
  return reason ?? lines.map((line) => NOT_HERE[typedCommand(line).program]).find(Boolean)
}

/** Nothing of it can be tried without somebody else's server. */
function needsTarget({ lines }: Fence): boolean {
  return lines.some((line) => namesTarget(typedCommand(line)))
}

const RUN = DISTINCT.filter((fence) => whyNot(fence) === undefined)

test('there are commands at all', () => {
  expect(FENCES.length).toBeGreaterThan(60)
  expect(RUN.filter((fence) => !needsTarget(fence)).length).toBeGreaterThan(15)
})

test('every command can be run here, or its block says why it is not: ```sh no-test="why"', () => {
  const unknown = RUN.flatMap(({ path, line: at, lines }) =>
    lines.filter((line) => !HERE.has(typedCommand(line).program)).map((line) => `${path}:${at}: ${line}`),
  )
  expect(unknown.join('\n')).toBe('')
})

test('commands that are not run are commands that exist, with options that exist', () => {
  const mistakes = [
    ...FENCES.flatMap(({ path, line: at, lines }) => lines.map((line) => ({ place: `${path}:${at}`, line }))),
    ...DOCUMENTS.flatMap(inlineCommands),
  ].flatMap(({ place, line }) => {
    const mistake = mistakeIn(typedCommand(line))
    return mistake === undefined ? [] : [`${place}: ${line}: ${mistake}`]
  })
  expect(mistakes.join('\n')).toBe('')
})

describe.concurrent('what is typed for a provider has settings that the proxy takes', () => {
  const lines = RUN.filter(needsTarget).flatMap((fence) => fence.lines)
  const commands = [...new Set(lines)].filter((line) => namesTarget(typedCommand(line)))
  test.each(commands)('%s', async (line) => {
    await readTarget(typedCommand(line))
  })
})

describe.concurrent('what needs nobody else runs', () => {
  const written = new Set(documentPaths())
  const fences = RUN.filter((fence) => !needsTarget(fence) && (RUNS_ALL || written.has(fence.path)))
  test.each(fences)('$path:$line', async ({ lines }) => {
    const copy = world.copy()
    onTestFinished(() => copy.remove())
    await runLines(
      lines.filter((line) => RUNS_ALL || !IS_SLOW.test(line)),
      copy,
    )
  })
})
