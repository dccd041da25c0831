import { proxyName, quotedWord, visibleLine } from '@hydra/cli'
import { type DialectName, dialectFor, providerNamed } from '@hydra/core'
import { agentFor, clientLine } from '@hydra/proxy/client-line'
import { callerOf, type PlayOptions, type Tape, type Via } from '@hydra/tape'
import type { Surroundings } from '../command.ts'

/** The provider of a target whose provider is not said. */
const USUAL_PROVIDER = 'openai'

/** A tape that is served, and where. */
export interface ServedTape {
  readonly url: string
  readonly source: Tape
  readonly leg: PlayOptions['leg']
}

/** What to do with what is served, as commands that can be typed: one for each dialect that the tape's clients speak. */
export function nextStep({ url, source, leg }: ServedTape, env: Surroundings['env']): string {
  const dialects = [...new Set(source.exchanges.map((exchange) => callerOf(exchange).dialect))]
  const lines = dialects.map((dialect) =>
    leg === 'proxy' ? clientLine(dialect, url) : throughProxy(dialect, { url, source, leg }, env),
  )
  return lines.map((line) => `  ${line}\n`).join('')
}

function throughProxy(dialect: DialectName, { url, source }: ServedTape, env: Surroundings['env']): string {
  const { name, title } = agentFor(dialect) ?? { name: 'PROGRAM', title: `clients of ${dialect}` }
  const [target, ...others] = targetsOf(source)
  // A proxy without a configuration has one target, and a request for another than the recorded one has no answer.
  if (target === undefined || others.length > 0) return `${title}: serve it --as proxy`
  const proxy = `${proxyName(env)} run --port 0 --target-url ${url} ${visibleLine(target)}`
  return `${title}: ${proxy} ${name} (or serve it --as proxy)`
}

/** The options that name what was called; none if a call was one that such a proxy does not make. */
function targetsOf({ exchanges }: Tape): readonly string[] {
  const targets = exchanges.flatMap(({ calls }) => calls.map(({ via }) => via && targetOf(via)))
  const known = targets.filter((target) => target !== undefined)
  return known.length === targets.length ? [...new Set(known)] : []
}

function targetOf({ dialect, passthrough, model, profile = 'generic', overrides }: Via): string | undefined {
  const named = providerNamed(profile)
  if (named === undefined || model === undefined) return undefined
  const isPlain = dialect === dialectFor(named, model) && passthrough !== true && overrides === undefined
  if (!isPlain) return undefined
  const provider = profile === USUAL_PROVIDER ? '' : `--provider ${profile} `
  return `${provider}--model ${quotedWord(model)}`
}
