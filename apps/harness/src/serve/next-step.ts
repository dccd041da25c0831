import type { PlayOptions, Tape } from '@hydra/tape'
import { proxyName } from '../cli/program-name.ts'
import { quotedWord } from '../cli/quoted-word.ts'
import type { Surroundings } from '../command.ts'
import { visibleLine } from '../show/visible-text.ts'

/** A tape that is served, and where. */
export interface ServedTape {
  readonly url: string
  readonly source: Tape
  readonly leg: PlayOptions['leg']
}

/** What to do with what is served, as commands that can be typed. */
export function nextStep({ url, source, leg }: ServedTape, env: Surroundings['env']): string {
  if (leg === 'proxy') return `  Claude Code: ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=any claude\n`
  const proxy = `${proxyName(env)} run --port 0 --target-url ${url}`
  const [model, ...others] = modelsOf(source)
  // A proxy without a configuration asks for one model, and a request for another than the recorded one has no answer.
  if (model === undefined || others.length > 0) return '  Claude Code: serve it --as proxy\n'
  return `  Claude Code: ${proxy} --model ${visibleLine(quotedWord(model))} claude (or serve it --as proxy)\n`
}

/** The models that were asked for; none if a call was one that such a proxy does not make. */
function modelsOf({ exchanges }: Tape): readonly string[] {
  const vias = exchanges.flatMap(({ calls }) => calls.map(({ via }) => via))
  const isPlain = vias.every((via) => via?.dialect === 'openai-chat' && via.passthrough !== true)
  return isPlain ? [...new Set(vias.flatMap((via) => via?.model ?? []))] : []
}
