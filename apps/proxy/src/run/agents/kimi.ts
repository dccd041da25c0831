import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import type { Agent } from './agent.ts'

/** Kimi's names of the dialects, and the versions in its addresses. */
const TYPES: Readonly<Record<string, readonly [type: string, version: string]>> = {
  [openaiChat.name]: ['openai', '/v1'],
  [openaiResponses.name]: ['openai_responses', '/v1'],
  [anthropic.name]: ['anthropic', ''],
  [gemini.name]: ['google-genai', ''],
}

/** Moonshot's Kimi Code. */
export const kimi: Agent = {
  name: 'kimi',
  title: 'Kimi Code',
  npm: '@moonshot-ai/kimi-code',
  speaks: openaiChat.name,
  alsoSpeaks: [openaiResponses.name, anthropic.name, gemini.name],
  needsModel: true,
  setUp({ proxy: { url }, dialect, key, model }) {
    const [type, version] = TYPES[dialect] ?? ['', '']
    return {
      env: {
        KIMI_MODEL_PROVIDER_TYPE: type,
        KIMI_MODEL_BASE_URL: url + version,
        KIMI_MODEL_API_KEY: key,
        KIMI_MODEL_NAME: model,
      },
    }
  },
}
