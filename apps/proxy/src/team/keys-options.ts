import { helpText } from '@hydra/cli'

/** The options of `hydra keys`. */
export const KEYS_OPTIONS = {
  name: { type: 'string', value: 'NAME', text: 'who or what the key is for' },
  owner: { type: 'string', value: 'NAME', text: 'who answers for it' },
  label: { type: 'string', multiple: true, value: 'KEY=VALUE', text: 'a label; may be typed several times' },
  expires: { type: 'string', value: 'WHEN', text: 'a date such as 2027-01-31, or days from now such as 90d' },
  models: { type: 'string', value: 'NAMES', text: 'models it may ask for (comma-separated, * for anything)' },
  routes: { type: 'string', value: 'NAMES', text: 'routes it may take (comma-separated)' },
  rpm: { type: 'string', value: 'N', text: 'requests per minute' },
  tpm: { type: 'string', value: 'N', text: 'tokens per minute' },
  streams: { type: 'string', value: 'N', text: 'requests under way at the same time' },
  budget: {
    type: 'string',
    multiple: true,
    value: 'AMOUNT/PERIOD',
    text: 'such as 10usd/day, 500000tokens/month; may be typed several times',
  },
  store: {
    type: 'string',
    value: 'ADDRESS',
    text: 'where keys are kept: file:PATH or redis://HOST',
    variable: 'HYDRA_STORE',
  },
  config: { type: 'string', short: 'c', value: 'FILE', text: 'hydra.config.json or .ts, for its store' },
  json: { type: 'boolean', text: 'print JSON' },
} as const

/** What `hydra keys --help` prints. */
export const KEYS_HELP: string = helpText({
  title: 'hydra keys: make, list, show, revoke and rotate the keys of a team',
  usage: [
    'hydra keys create --name NAME [options]',
    'hydra keys list | show ID | revoke ID | rotate ID [options]',
    'hydra keys hash                                  the hash of a key from standard input, for a configuration',
  ],
  about: `A key is printed once, when it is made: only its hash is kept. A proxy that runs knows of a new or revoked key
within a second.`,
  options: KEYS_OPTIONS,
  examples: [
    'hydra keys create --store file:team.db --name ada --budget 10usd/day --rpm 60',
    'hydra keys list --store redis://127.0.0.1',
    'hydra keys revoke key_3k9x0a2b1c --store file:team.db',
  ],
})
