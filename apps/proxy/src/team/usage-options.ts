import { helpText } from '@hydra/cli'

/** The options of `hydra usage`. */
export const USAGE_OPTIONS = {
  by: { type: 'string', value: 'WHAT', text: 'key (the default), owner, model, agent or day' },
  days: { type: 'string', value: 'N', text: 'how many days back, today included; default 30' },
  csv: { type: 'boolean', text: 'print CSV' },
  json: { type: 'boolean', text: 'print JSON' },
  store: {
    type: 'string',
    value: 'ADDRESS',
    text: 'where usage is kept: file:PATH or redis://HOST',
    variable: 'HYDRA_STORE',
  },
  config: { type: 'string', short: 'c', value: 'FILE', text: 'hydra.config.json or .ts, for its store' },
} as const

/** What `hydra usage --help` prints. */
export const USAGE_HELP: string = helpText({
  title: 'hydra usage: show what was used, by key, owner, model, agent or day',
  usage: ['hydra usage [options]'],
  about:
    'Days are those of UTC. Money is at list price, where it is known; requests without one count as nothing.',
  options: USAGE_OPTIONS,
  examples: [
    'hydra usage --store file:team.db',
    'hydra usage --store redis://127.0.0.1 --by owner --days 7',
    'hydra usage --by model --csv > usage.csv',
  ],
})
