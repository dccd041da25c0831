import type { GatewayOptions } from '@hydra/gateway'
import { UsageError } from '../cli/usage-error.ts'
import type { ConfiguredLoopGuard } from './config.ts'
import { said } from './said.ts'
import type { Sources } from './sources.ts'

const MODES: readonly ConfiguredLoopGuard['mode'][] = ['off', 'warn', 'notify', 'stop']

/** What is done about loops: the mode that was typed or set, with the numbers of the configuration. */
export function loopGuardOf({ options, env, source }: Sources): Pick<GatewayOptions, 'loopGuard'> {
  const configured = source?.config.loopGuard
  const mode = typedMode({ options, env }) ?? configured?.mode ?? 'off'
  return mode === 'off' ? {} : { loopGuard: { ...configured, mode } }
}

function typedMode({
  options,
  env,
}: Pick<Sources, 'options' | 'env'>): ConfiguredLoopGuard['mode'] | undefined {
  const typed = said(['loop-guard', options['loop-guard']], env, 'HYDRA_LOOP_GUARD')
  if (typed === undefined) return undefined
  const mode = MODES.find((name) => name === typed.value)
  if (mode !== undefined) return mode
  throw new UsageError(`${typed.name} ${typed.value}: expected one of ${MODES.join(', ')}`)
}
