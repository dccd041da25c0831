import type { Environment } from '@hydra/cli'
import { anthropic, openaiChat, openaiResponses } from '@hydra/core'
import type { Agent } from './agent.ts'

/** Copilot's names of the dialects, and the versions in its addresses. */
const TYPES: Readonly<Record<string, readonly [type: string, wire: string | undefined, version: string]>> = {
  [openaiChat.name]: ['openai', undefined, '/v1'],
  [openaiResponses.name]: ['openai', 'responses', '/v1'],
  [anthropic.name]: ['anthropic', undefined, ''],
}

/** What belongs to a provider of the user's own: its credentials count more than a key, and its model is another. */
const OF_OTHER_PROVIDERS: Environment = Object.fromEntries(
  ['API_KEY_COMMAND', 'BEARER_TOKEN', 'HEADERS', 'MODEL_ID', 'TRANSPORT', 'WIRE_MODEL'].map((name) => [
    `COPILOT_PROVIDER_${name}`,
    undefined,
  ]),
)

/** GitHub's Copilot CLI; off line it asks for no login. */
export const copilot: Agent = {
  name: 'copilot',
  title: 'Copilot CLI',
  npm: '@github/copilot',
  speaks: openaiChat.name,
  alsoSpeaks: [openaiResponses.name, anthropic.name],
  needsModel: true,
  setUp({ proxy: { url }, dialect, key, model }) {
    const [type, wire, version] = TYPES[dialect] ?? ['', undefined, '']
    return {
      env: {
        ...OF_OTHER_PROVIDERS,
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_TYPE: type,
        COPILOT_PROVIDER_WIRE_API: wire,
        COPILOT_PROVIDER_BASE_URL: url + version,
        COPILOT_PROVIDER_API_KEY: key,
        COPILOT_MODEL: model,
      },
    }
  },
}
