import { type RunningProcess, processOf } from './process-parents.ts'
import { isFetched, isScript } from './program-name.ts'
import type { Environment } from './typed-path.ts'

/** How often it is looked, in milliseconds; other systems than Linux need a process to ask. */
const INTERVAL = process.platform === 'linux' ? 500 : 2000

/** More than npx, pnpm and their shells. */
const MAX_STEPS = 12

const MANAGER =
  /^(?:\S*[\\/])?(?:(?:node|sh|bash)(?: -\S+)* )?(?:\S*[\\/])?(?:npm|npx|pnpm|pnpx)(?:-cli)?(?:\.[cm]?js)?(?: |$)/
const NPX =
  /^(?:\S*[\\/])?(?:(?:node|sh|bash)(?: -\S+)* )?(?:\S*[\\/])?(?:npm|npx)(?:-cli)?(?:\.[cm]?js)?(?: |$)/
const BETWEEN = /^(?:\S*\/)?(?:sh|bash|dash) -c /

/**
 * Aborted when a package manager between the user and this process is gone. They do not pass signals on: who stops
 * `npx … start` would leave a proxy behind that nobody stops any more. Only the way up to the first of them counts:
 * a terminal that is closed, `nohup` and service managers have their own say. It resolves when that way is known:
 * what begins afterwards is stopped with them.
 */
export async function starterSignal(env: Environment): Promise<AbortSignal> {
  const gone = new AbortController()
  if (isScript(env) || env['npm_lifecycle_event'] === 'npx') await watch(env, gone)
  return gone.signal
}

async function watch(env: Environment, gone: AbortController): Promise<void> {
  const { links, top } = await wayToStarter()
  // npx was stopped while what it had started was still getting ready, and that went on.
  const isOrphan = isFetched(env) && top !== undefined && !NPX.test(top)
  if (isOrphan) gone.abort()
  else if (links.length > 0) void look(links, gone)
}

async function look(links: readonly Link[], gone: AbortController): Promise<void> {
  if (await someBroken(links)) gone.abort()
  else setTimeout(() => void look(links, gone), INTERVAL).unref()
}

/** A process and whose child it was at the beginning. */
interface Link {
  readonly pid: number
  readonly parent: number
}

/** The processes from this one to the uppermost package manager that runs it, and how that was started. */
interface Way {
  readonly links: readonly Link[]
  readonly top: string | undefined
}

async function wayToStarter(): Promise<Way> {
  const links: Link[] = []
  let end = 0
  let top: string | undefined
  let pid = process.pid
  let parent = process.ppid
  for (let step = 0; step < MAX_STEPS && parent > 0; step += 1) {
    links.push({ pid, parent })
    // oxlint-disable-next-line no-await-in-loop -- each step leads to the next
    const above: RunningProcess | undefined = await processOf(parent)
    if (above === undefined) break
    if (MANAGER.test(above.command)) [end, top] = [links.length, above.command]
    else if (!BETWEEN.test(above.command)) break
    pid = parent
    parent = above.parent
  }
  return { links: links.slice(0, end), top }
}

async function someBroken(links: readonly Link[]): Promise<boolean> {
  if (links[0]?.parent !== process.ppid) return true
  const [, ...others] = links
  const parents = await Promise.all(others.map(async ({ pid }) => (await processOf(pid))?.parent))
  // One that cannot be asked may still be there; if it is not, the one below it has another parent.
  return others.some(({ parent }, index) => parents[index] !== undefined && parents[index] !== parent)
}
