import { cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTape, type Tape } from '@hydra/tape'
import { run } from '../processes.ts'
import { HARNESS } from '../tape-server.ts'
import { checkFolder } from './check-folder.ts'
import { everyText } from './placeholders/every-text.ts'
import { replacementOf } from './placeholders/replace.ts'
import { rewriteTape } from './placeholders/rewrite-tape.ts'
import { collectThirdParty, type IsOwn, type ThirdParty } from './placeholders/third-party.ts'
import type { Recorded } from './record-session.ts'
import type { TapeSession } from './session.ts'

/** Where the tapes of the repository are. */
const FIXTURES = fileURLToPath(new URL('../../../../fixtures/tapes', import.meta.url))

/** Makes the fixture of a session from what was recorded, without the texts of others; gives what is to be read. */
export async function makeFixture(session: TapeSession, recorded: Recorded): Promise<string> {
  const tape = readTape(await onlyTapeIn(recorded.folder))
  const isOwn: IsOwn = (line) => recorded.prompts.includes(line) || session.isOwn?.(line) === true
  const bodies = session.isScript === true ? [] : bodiesIn(tape)
  const found: ThirdParty = { texts: new Set(), descriptions: new Set() }
  for (const body of bodies) collectThirdParty(body, isOwn, found)
  // Nothing gets near a commit that has not passed everything.
  const made = join(recorded.folder, '..', session.name)
  rewriteTape(tape, made, replacementOf(found))
  await writeFile(join(made, 'README.md'), readmeOf(session, tape))
  await expectFaithful(made)
  checkFolder(
    made,
    bodies.flatMap((body) => everyText(body, isOwn)),
  )
  const folder = join(FIXTURES, session.name)
  await rm(folder, { recursive: true, force: true })
  await cp(made, folder, { recursive: true })
  return join(folder, 'expect')
}

/** Writes the expected answers; they must be what the client got, and come out of everything that translates. */
async function expectFaithful(folder: string): Promise<void> {
  const said = await harness('regress', '--update', folder)
  const remark = said.split('\n').find((line) => /left out|when it was recorded/.test(line))
  if (remark !== undefined) throw new Error(remark)
  await harness('verify', folder)
  await harness('scan', folder)
  await harness('regress', '--through', 'all', folder)
}

async function onlyTapeIn(recordings: string): Promise<string> {
  const tapes = (await readdir(recordings, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const [tape, ...others] = tapes
  if (tape === undefined || others.length > 0) throw new Error(`expected one tape, got ${tapes.length}`)
  return join(recordings, tape.name)
}

/** The bodies in which others have written: agents add their own words. */
function bodiesIn({ exchanges }: Tape): readonly unknown[] {
  return exchanges.map(({ request }) => JSON.parse(Buffer.from(request?.body ?? []).toString()) as unknown)
}

function readmeOf(session: TapeSession, { header, exchanges }: Tape): string {
  const { name, shows } = session
  const agent = session.agent ?? 'Claude Code'
  const placeholders =
    session.isScript === true
      ? ''
      : `\nThe prompts, reminders and descriptions of tools that ${agent} adds are placeholders of the same length.\n`
  const count = exchanges.length === 1 ? 'One exchange' : `${exchanges.length} exchanges`
  return `# ${name}

${shows}

${count}, recorded with \`${header.client}\` through \`hydra serve --record\` in front of a scripted upstream:

\`\`\`sh
pnpm tapes ${name}
\`\`\`
${placeholders}`
}

async function harness(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await run({
    file: process.execPath,
    args: [HARNESS, ...args],
    folder: FIXTURES,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
  })
  if (code !== 0) throw new Error(`hydra-tape ${args[0]} found something:\n${stdout}${stderr}`)
  return stdout
}
