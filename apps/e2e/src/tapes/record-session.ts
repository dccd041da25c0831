import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { claudeEnvironment } from '../claude/environment.ts'
import { CLIENT_KEY } from '../keys.ts'
import { run } from '../processes.ts'
import { agentEnvironment } from '../matrix/agent-environment.ts'
import { agentNamed } from '../matrix/agents.ts'
import { HYDRA, startProxy } from '../proxy.ts'
import { startTripwire, type Tripwire } from '../tripwire.ts'
import { startStrictUpstream, type StrictUpstream } from '../upstream/strict-upstream.ts'
import { type AnthropicUpstream, startAnthropicUpstream } from '../upstream/anthropic-upstream.ts'
import { writeFiles } from '../write-files.ts'
import type { TapeSession, TapeStage } from './session.ts'

/** Paths get onto tapes, also in pieces: this one is the same on every machine, and says nothing about any. */
const BASE = '/tmp/hydra-tapes'

/** What was recorded of a session. */
export interface Recorded {
  /** The folder in which its tapes are. */
  readonly folder: string
  /** What Claude Code was asked. */
  readonly prompts: readonly string[]
}

/** Plays a session through a proxy that records. */
export async function recordSession(session: TapeSession, binary: string): Promise<Recorded> {
  removeRecordings()
  const folder = join(BASE, 'recordings')
  const prompts: string[] = []
  const upstream = await startStrictUpstream(session.rules)
  const anthropic = await startAnthropicUpstream()
  const tripwire = await startTripwire()
  try {
    const { flags = [], env = {} } = session.proxy?.(anthropic.url) ?? {}
    // Its home is not the folder of the session, which would be taken out of the tape as somebody's home.
    const proxyFolder = join(BASE, 'proxy')
    await mkdir(proxyFolder, { recursive: true })
    const proxy = await startProxy(upstream.url, proxyFolder, { flags: [...flags, '--record', folder], env })
    try {
      const theatre = { binary, upstream, anthropic, tripwire, prompts, proxyUrl: proxy.url }
      await session.play(await stageFor(session, theatre))
    } finally {
      await proxy.stop()
    }
    expectNothingElse(session, upstream, tripwire)
    return { folder, prompts }
  } finally {
    tripwire.close()
    anthropic.close()
    await upstream.close()
  }
}

/** Removes everything that recording has left behind. */
export function removeRecordings(): void {
  rmSync(BASE, { recursive: true, force: true })
}

interface Theatre {
  readonly binary: string
  readonly upstream: StrictUpstream
  readonly anthropic: AnthropicUpstream
  readonly tripwire: Tripwire
  readonly proxyUrl: string
  readonly prompts: string[]
}

async function stageFor(session: TapeSession, theatre: Theatre): Promise<TapeStage> {
  const { name } = session
  const { binary, upstream, anthropic, tripwire, proxyUrl, prompts } = theatre
  const [home, project, temp] = [join(BASE, 'own'), join(BASE, 'project'), join(BASE, 'temp')]
  await Promise.all([home, project, temp].map((folder) => mkdir(folder)))
  // Without one Claude Code makes up a device, another one each time.
  const device = { '.claude.json': JSON.stringify({ userID: '0'.repeat(64) }) }
  await writeFiles(home, { ...device, ...session.home })
  const surroundings = { ...claudeEnvironment({ home, temp, binary }), ...tripwire.env }
  return {
    upstream,
    anthropic,
    folder: project,
    claude(prompt, args) {
      prompts.push(prompt)
      return run({
        file: binary,
        args: ['-p', prompt, '--session-id', sessionIdOf(name), ...args],
        folder: project,
        env: { ...surroundings, ANTHROPIC_BASE_URL: proxyUrl },
      })
    },
    agent(prompt) {
      prompts.push(prompt)
      const played = agentNamed(session.program)
      return run({
        file: process.execPath,
        args: [HYDRA, 'run', '--port', new URL(proxyUrl).port, played.name, ...played.words(prompt)],
        folder: project,
        env: { ...agentEnvironment(dirname(binary), { home, temp }), ...tripwire.env, ...played.env },
      })
    },
    sdk: new Anthropic({ baseURL: proxyUrl, apiKey: CLIENT_KEY, maxRetries: 0 }),
    genai: new GoogleGenAI({ apiKey: CLIENT_KEY, httpOptions: { baseUrl: proxyUrl } }),
  }
}

/** An id that is the same whenever a session is recorded, in the form of a random one. */
function sessionIdOf(name: string): string {
  const digits = createHash('sha256').update(name).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

function expectNothingElse({ program }: TapeSession, { received }: StrictUpstream, tripwire: Tripwire): void {
  const [problem] = received.flatMap(({ problems }) => problems)
  if (problem !== undefined) throw new Error(`the upstream refused a request: ${problem}`)
  const [outside] = tripwire.touched()
  // Other agents tell their makers of themselves, whatever they are told.
  if (outside !== undefined && program === undefined) throw new Error(`something wanted to reach ${outside}`)
}
