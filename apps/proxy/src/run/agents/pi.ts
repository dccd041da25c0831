import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import type { Agent } from './agent.ts'

/** pi requires these limits, which the proxy does not know; pi compacts its conversation by them. */
const UNKNOWN_LIMITS = { contextWindow: 128_000, maxTokens: 16_384 } as const

/** pi's names of the dialects, and the versions in its addresses. */
const APIS: Readonly<Record<string, readonly [api: string, version: string]>> = {
  [anthropic.name]: ['anthropic-messages', ''],
  [openaiChat.name]: ['openai-completions', '/v1'],
  [openaiResponses.name]: ['openai-responses', '/v1'],
  [gemini.name]: ['google-generative-ai', '/v1beta'],
}

/** pi, by an extension that adds a provider: its settings and sessions stay where they are. */
export const pi: Agent = {
  name: 'pi',
  title: 'pi',
  npm: '@earendil-works/pi-coding-agent',
  speaks: anthropic.name,
  alsoSpeaks: [openaiChat.name, openaiResponses.name, gemini.name],
  needsModel: true,
  setUp({ proxy: { url }, dialect, key, model, files }) {
    const [api, version] = APIS[dialect] ?? ['', '']
    const provider = {
      baseUrl: url + version,
      apiKey: key,
      api,
      models: [
        {
          id: model,
          name: model,
          reasoning: true,
          input: ['text', 'image'],
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          ...UNKNOWN_LIMITS,
        },
      ],
    }
    const extension = `export default (pi) => pi.registerProvider('hydra', ${JSON.stringify(provider)})\n`
    const file = files.write('hydra-provider.ts', extension)
    return { env: {}, args: ['--extension', file, '--provider', 'hydra', '--model', model] }
  },
}
