import { proxyName, quotedWord, visibleLine } from '@hydra/cli'
import { profiles } from '@hydra/core'
import type { PlayOptions, Tape, Via } from '@hydra/tape'
import type { Surroundings } from '../command.ts'

/** The provider of a target whose provider is not said. */
const USUAL_PROVIDER = 'openai'

/** A tape that is served, and where. */
export interface ServedTape {
  readonly url: string
  readonly source: Tape
  readonly leg: PlayOptions['leg']
}

/** What to do with what is served, as commands that can be typed. */
export function nextStep({ url, source, leg }: ServedTape, env: Surroundings['env']): string {
  if (leg === 'proxy') return `  Claude Code: ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=any claude\n`
  const [target, ...others] = targetsOf(source)
  // A proxy without a configuration has one target, and a request for another than the recorded one has no answer.
  if (target === undefined || others.length > 0) return '  Claude Code: serve it --as proxy\n'
  const proxy = `${proxyName(env)} run --port 0 --target-url ${url} ${visibleLine(target)}`
  return `  Claude Code: ${proxy} claude (or serve it --as proxy)\n`
}

/** The options that name what was called; none if a call was one that such a proxy does not make. */
function targetsOf({ exchanges }: Tape): readonly string[] {
  const targets = exchanges.flatMap(({ calls }) => calls.map(({ via }) => via && targetOf(via)))
  const known = targets.filter((target) => target !== undefined)
  return known.length === targets.length ? [...new Set(known)] : []
}

function targetOf({ dialect, passthrough, model, profile = 'generic', overrides }: Via): string | undefined {
  const isPlain = dialect === 'openai-chat' && passthrough !== true && overrides === undefined
  if (!isPlain || model === undefined || !Object.hasOwn(profiles, profile)) return undefined
  const provider = profile === USUAL_PROVIDER ? '' : `--provider ${profile} `
  return `${provider}--model ${quotedWord(model)}`
}
