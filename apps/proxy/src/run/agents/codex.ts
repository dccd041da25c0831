import { openaiResponses } from '@hydra/core'
import type { Agent } from './agent.ts'

const KEY_VARIABLE = 'HYDRA_CLIENT_KEY'

/** OpenAI's Codex, by a provider of its own: the built-in one would try WebSocket first. Its other settings stay. */
export const codex: Agent = {
  name: 'codex',
  title: 'Codex',
  npm: '@openai/codex',
  speaks: openaiResponses.name,
  needsModel: true,
  setUp({ proxy: { url }, key, model }) {
    const overrides = {
      model,
      model_provider: 'hydra',
      'model_providers.hydra.name': 'Hydra',
      'model_providers.hydra.base_url': `${url}/v1`,
      'model_providers.hydra.env_key': KEY_VARIABLE,
      'model_providers.hydra.wire_api': 'responses',
    }
    // A JSON string is a TOML string.
    const args = Object.entries(overrides).flatMap(([name, value]) => [
      '-c',
      `${name}=${JSON.stringify(value)}`,
    ])
    return { env: { [KEY_VARIABLE]: key }, args }
  },
}
