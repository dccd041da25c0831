import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import { UsageError } from '@hydra/cli'
import type { Agent } from './agent.ts'

const VARIABLE = 'OPENCODE_CONFIG_CONTENT'

/** The package that speaks a dialect, and the version in its addresses. */
const PACKAGES: Readonly<Record<string, readonly [npm: string, version: string]>> = {
  [openaiChat.name]: ['@ai-sdk/openai-compatible', '/v1'],
  [openaiResponses.name]: ['@ai-sdk/openai', '/v1'],
  [anthropic.name]: ['@ai-sdk/anthropic', '/v1'],
  [gemini.name]: ['@ai-sdk/google', '/v1beta'],
}

/** opencode, by a provider in the configuration that its variable adds to all others. */
export const opencode: Agent = {
  name: 'opencode',
  title: 'opencode',
  npm: 'opencode-ai',
  speaks: openaiChat.name,
  alsoSpeaks: [openaiResponses.name, anthropic.name, gemini.name],
  needsModel: true,
  setUp({ proxy: { url }, dialect, key, model, env }) {
    const own = configOf(env[VARIABLE])
    const [npm, version] = PACKAGES[dialect] ?? ['', '']
    const provider = {
      npm,
      name: 'Hydra',
      options: { baseURL: url + version, apiKey: key },
      models: { [model]: { name: model } },
    }
    const config = {
      ...own,
      model: `hydra/${model}`,
      small_model: `hydra/${model}`,
      provider: { ...own.provider, hydra: provider },
    }
    return { env: { [VARIABLE]: JSON.stringify(config) } }
  },
}

function configOf(text: string | undefined): { readonly provider?: object } {
  if (!text) return {}
  try {
    return JSON.parse(text) as { provider?: object }
  } catch {
    throw new UsageError(`${VARIABLE}: expected JSON, got something else`)
  }
}
