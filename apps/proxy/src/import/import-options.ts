import { helpText } from '@hydra/cli'

/** The options of `hydra import`. */
export const IMPORT_OPTIONS = {
  out: { type: 'string', short: 'o', value: 'FILE', text: 'where to write it; default standard output' },
} as const

/** What `hydra import --help` prints. */
export const IMPORT_HELP: string = helpText({
  title: 'hydra import: the configuration of another program as one of ours',
  usage: ['hydra import ccr FILE [options]', 'hydra import litellm FILE [options]'],
  about: `FILE is the config.json of claude-code-router or the config.yaml of LiteLLM's proxy. What has no counterpart is told
on standard error. Keys are not copied: they become variables, and it is told which to set.`,
  options: IMPORT_OPTIONS,
  examples: [
    'hydra import ccr ~/.claude-code-router/config.json --out hydra.config.json',
    'hydra import litellm config.yaml > hydra.config.json',
    'hydra check --config hydra.config.json',
  ],
})
