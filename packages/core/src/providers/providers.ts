import type { QProfile } from '../dialects/amazon-q/profile.ts'
import { amazonQ } from '../dialects/amazon-q/index.ts'
import { anthropic } from '../dialects/anthropic/index.ts'
import type { AnthropicProfile } from '../dialects/anthropic/profile.ts'
import { gemini } from '../dialects/gemini/index.ts'
import { type GeminiProfile, vertexProfile } from '../dialects/gemini/profile.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import type { ChatProfile } from '../dialects/openai-chat/profile.ts'
import { openaiResponses } from '../dialects/openai-responses/index.ts'
import { type ChatProviderName, chatProfiles } from './chat-profiles.ts'
import type { Provider, SpokenDialect } from './provider.ts'
import { CHAT_MODELS, responsesProfiles } from './responses-profiles.ts'

/** The providers that are known by name. */
export type ProviderName = ChatProviderName | typeof anthropic.name | typeof amazonQ.name | 'vertex'

/** Who they are; the names are filled in from the keys. */
const TABLE: Readonly<Record<ProviderName, Omit<Provider, 'name'>>> = {
  openai: {
    url: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    speaks: [
      { ...chat(chatProfiles.openai), models: CHAT_MODELS },
      { dialect: openaiResponses.name, profile: responsesProfiles.openai },
    ],
  },
  azure: {
    telemetryName: 'azure.ai.openai',
    keyVariable: 'AZURE_OPENAI_API_KEY',
    speaks: [
      { ...chat(chatProfiles.azure), models: CHAT_MODELS },
      { dialect: openaiResponses.name, profile: responsesProfiles.azure },
    ],
  },
  openrouter: {
    url: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    speaks: [chat(chatProfiles.openrouter)],
  },
  deepseek: {
    url: 'https://api.deepseek.com/v1',
    keyVariable: 'DEEPSEEK_API_KEY',
    speaks: [chat(chatProfiles.deepseek)],
  },
  [gemini.name]: {
    telemetryName: 'gcp.gemini',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GEMINI_API_KEY',
    speaks: [
      { dialect: gemini.name, profile: gemini.upstream.defaultProfile },
      {
        ...chat(chatProfiles.gemini),
        url: 'https://generativelanguage.googleapis.com/v1beta/openai',
      },
    ],
  },
  vertex: {
    telemetryName: 'gcp.vertex_ai',
    keyVariable: 'VERTEX_ACCESS_TOKEN',
    speaks: [{ dialect: gemini.name, profile: vertexProfile }],
  },
  mistral: {
    telemetryName: 'mistral_ai',
    url: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    speaks: [chat(chatProfiles.mistral)],
  },
  groq: {
    url: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    speaks: [chat(chatProfiles.groq)],
  },
  moonshot: {
    telemetryName: 'moonshot_ai',
    url: 'https://api.moonshot.ai/v1',
    keyVariable: 'MOONSHOT_API_KEY',
    speaks: [chat(chatProfiles.moonshot)],
  },
  zhipu: {
    url: 'https://api.z.ai/api/paas/v4',
    keyVariable: 'ZAI_API_KEY',
    speaks: [chat(chatProfiles.zhipu)],
  },
  qwen: {
    url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariable: 'DASHSCOPE_API_KEY',
    speaks: [chat(chatProfiles.qwen)],
  },
  ollama: { url: 'http://127.0.0.1:11434/v1', speaks: [chat(chatProfiles.ollama)] },
  vllm: { url: 'http://127.0.0.1:8000/v1', speaks: [chat(chatProfiles.vllm)] },
  lmstudio: { url: 'http://127.0.0.1:1234/v1', speaks: [chat(chatProfiles.lmstudio)] },
  llamacpp: { url: 'http://127.0.0.1:8080/v1', speaks: [chat(chatProfiles.llamacpp)] },
  [anthropic.name]: {
    url: 'https://api.anthropic.com',
    keyVariable: 'ANTHROPIC_API_KEY',
    speaks: [
      { dialect: anthropic.name, profile: anthropic.upstream.defaultProfile },
      chat(chatProfiles[anthropic.name]),
    ],
  },
  [amazonQ.name]: {
    keyVariable: 'AMAZON_Q_TOKEN',
    speaks: [{ dialect: amazonQ.name, profile: amazonQ.upstream.defaultProfile }],
  },
  generic: { speaks: [chat(chatProfiles.generic)] },
}

/** The providers that come with the package, by name. */
export const providers: Readonly<Record<ProviderName, Provider>> = Object.fromEntries(
  Object.entries(TABLE).map(([name, provider]) => [name, { name, ...provider }]),
) as unknown as Record<ProviderName, Provider>

const { generic, ...named } = chatProfiles

/** The profiles of the providers in the dialect that each of them wants. */
export const profiles: Profiles = {
  ...named,
  [gemini.name]: gemini.upstream.defaultProfile,
  vertex: vertexProfile,
  [anthropic.name]: anthropic.upstream.defaultProfile,
  [amazonQ.name]: amazonQ.upstream.defaultProfile,
  generic,
}

/** The names under which `profiles` has them. */
export type ProfileName = keyof Profiles

type Profiles = Readonly<
  Record<Exclude<ChatProviderName, typeof anthropic.name | typeof gemini.name>, ChatProfile>
> &
  Readonly<Record<typeof gemini.name | 'vertex', GeminiProfile>> &
  Readonly<Record<typeof anthropic.name, AnthropicProfile>> &
  Readonly<Record<typeof amazonQ.name, QProfile>>

/** The provider of a name, or `undefined` for anything else. */
export function providerNamed(name: string): Provider | undefined {
  return Object.hasOwn(providers, name) ? providers[name as ProviderName] : undefined
}

function chat(profile: ChatProfile): SpokenDialect {
  return { dialect: openaiChat.name, profile }
}
