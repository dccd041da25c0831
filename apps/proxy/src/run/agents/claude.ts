import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Environment, workingFolder } from '@hydra/cli'
import { anthropic } from '@hydra/core'
import { parse } from 'jsonc-parser'
import { anthropicEnvironment } from '../client-environment.ts'
import type { Agent, Launch } from './agent.ts'

/** What makes Claude Code call a cloud and no address that it is given. */
const CLOUDS: Environment = Object.fromEntries(
  ['BEDROCK', 'VERTEX', 'FOUNDRY', 'MANTLE', 'GATEWAY', 'ANTHROPIC_AWS', 'ANTHROPIC_GOOGLE_CLOUD'].map(
    (cloud) => [`CLAUDE_CODE_USE_${cloud}`, undefined],
  ),
)

/** Anthropic's Claude Code. It asks for Claude's models by name, and routes say who answers. */
export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  npm: '@anthropic-ai/claude-code',
  speaks: anthropic.name,
  needsModel: false,
  setUp(launch) {
    const env = { ...anthropicEnvironment(launch.env, launch.proxy), ...CLOUDS }
    return { env, args: settingsArguments(env, launch) }
  },
}

/**
 * Variables in Claude Code's settings replace those that it is started with. Where there are such, it gets settings
 * that count more than the user's and the project's.
 */
function settingsArguments(wanted: Environment, { env, files }: Launch): readonly string[] {
  const folder = env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude')
  const project = join(workingFolder(process.env), '.claude')
  const places = [
    join(folder, 'settings.json'),
    join(project, 'settings.json'),
    join(project, 'settings.local.json'),
  ]
  const replaced = new Set(places.flatMap((place) => variablesOf(place)).filter((name) => name in wanted))
  if (replaced.size === 0) return []
  const settings = { env: Object.fromEntries([...replaced].map((name) => [name, wanted[name] ?? ''])) }
  return ['--settings', files.write('settings.json', JSON.stringify(settings))]
}

function variablesOf(place: string): readonly string[] {
  try {
    const settings = parse(readFileSync(place, 'utf8')) as { readonly env?: object } | undefined
    return Object.keys(settings?.env ?? {})
  } catch {
    return []
  }
}
