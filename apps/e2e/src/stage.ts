import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { claudeEnvironment } from './claude/environment.ts'
import { expect } from './expectations.ts'
import { UPSTREAM_KEY } from './keys.ts'
import { run } from './processes.ts'
import type { SessionOptions, Stage } from './scenario.ts'
import type { Tripwire } from './tripwire.ts'
import type { StrictUpstream } from './upstream/strict-upstream.ts'

/** What all scenarios of one version of Claude Code share. */
export interface Theatre {
  /** The `claude` program. */
  readonly binary: string
  readonly proxyUrl: string
  readonly upstream: StrictUpstream
  readonly tripwire: Tripwire
  /** A folder for everything. */
  readonly folder: string
}

/** Sets up an empty home and a working folder for one scenario. */
export async function buildStage(theatre: Theatre): Promise<Stage> {
  const { binary, proxyUrl, upstream, tripwire, folder } = theatre
  const base = await mkdtemp(join(folder, 'stage-'))
  const [home, work, temp] = [join(base, 'home'), join(base, 'work'), join(base, 'temp')]
  await Promise.all([home, work, temp].map((path) => mkdir(path)))
  await writeFile(join(work, 'hello.py'), "print('hello world')\n")
  const surroundings = { ...claudeEnvironment({ home, temp, binary }), ...tripwire.env }
  return {
    upstream,
    proxyUrl,
    folder: work,
    home,
    async claude(words, { input, env, command = [binary] }: SessionOptions = {}) {
      const [file = binary, ...args] = [...command, ...words]
      const outcome = await run({
        file,
        args,
        folder: work,
        env: { ...surroundings, ANTHROPIC_BASE_URL: proxyUrl, ...env },
        input,
      })
      const isLeaked = `${outcome.stdout}${outcome.stderr}`.includes(UPSTREAM_KEY)
      expect(!isLeaked, "the upstream's key has reached the client")
      return outcome
    },
  }
}
