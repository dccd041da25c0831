import type { ChatProviderName } from '../../src/providers/chat-profiles.ts'

/** The profiles of upstreams that speak Chat Completions. */
export type ChatProfileName = Exclude<ChatProviderName, 'anthropic'>

/** What one upstream refuses, stated apart from our profiles so that they can be held against it. */
export interface UpstreamLimits {
  /** The fields that a body may have. */
  readonly fields: ReadonlySet<string>
  readonly tokenField: 'max_tokens' | 'max_completion_tokens'
  readonly callId: RegExp
  readonly maxStop: number
  /** The word that makes the model call some tool. */
  readonly anyTool: 'required' | 'any'
  /** The content of an assistant message with nothing but calls. */
  readonly besideCalls: null | ''
  /** Where the thinking of earlier turns goes, if anywhere. */
  readonly thinkingField?: 'reasoning' | 'reasoning_content'
  readonly takesSystemMidway: boolean
  readonly takesEmptyResults: boolean
  readonly takesImages: boolean
  readonly takesFiles: boolean
  readonly takesStrictTools: boolean
  readonly takesSignatures: boolean
  readonly takesSchemaFormat: boolean
  readonly alternates: boolean
  /** Whether the user may speak directly behind results. */
  readonly takesUserAfterResults: boolean
  readonly userFirst: boolean
  readonly refusedKeywords: readonly string[]
}

const EVERYWHERE = [
  'model',
  'messages',
  'stream',
  'temperature',
  'top_p',
  'stop',
  'tools',
  'tool_choice',
  'response_format',
]

const CAREFUL: UpstreamLimits = {
  fields: new Set([...EVERYWHERE, 'max_tokens', 'stream_options']),
  tokenField: 'max_tokens',
  callId: /^[!-~]{1,40}$/,
  maxStop: 4,
  anyTool: 'required',
  besideCalls: null,
  takesSystemMidway: false,
  takesEmptyResults: false,
  takesImages: true,
  takesFiles: false,
  takesStrictTools: false,
  takesSignatures: false,
  takesSchemaFormat: true,
  alternates: false,
  takesUserAfterResults: true,
  userFirst: false,
  refusedKeywords: ['$schema'],
}

function withFields(...names: string[]): Pick<UpstreamLimits, 'fields'> {
  return { fields: new Set([...CAREFUL.fields, ...names]) }
}

const OPENAI: UpstreamLimits = {
  ...CAREFUL,
  fields: new Set([
    ...EVERYWHERE,
    'max_completion_tokens',
    'stream_options',
    'parallel_tool_calls',
    'reasoning_effort',
    'safety_identifier',
    'prompt_cache_key',
  ]),
  tokenField: 'max_completion_tokens',
  takesSystemMidway: true,
  takesEmptyResults: true,
  takesFiles: true,
  takesStrictTools: true,
}

/** What each upstream refuses, by the name of its profile. */
export const UPSTREAM_LIMITS: Readonly<Record<ChatProfileName, UpstreamLimits>> = {
  openai: OPENAI,
  azure: {
    ...OPENAI,
    fields: new Set([...OPENAI.fields].filter((field) => field !== 'safety_identifier')),
  },
  openrouter: {
    ...CAREFUL,
    ...withFields('parallel_tool_calls', 'reasoning_effort', 'prompt_cache_key', 'top_k'),
    thinkingField: 'reasoning',
    takesSystemMidway: true,
    takesEmptyResults: true,
    takesFiles: true,
  },
  deepseek: {
    ...CAREFUL,
    ...withFields('thinking'),
    maxStop: 16,
    besideCalls: '',
    thinkingField: 'reasoning_content',
    takesSystemMidway: true,
    takesImages: false,
    takesSchemaFormat: false,
  },
  gemini: {
    ...CAREFUL,
    ...withFields('reasoning_effort'),
    takesSignatures: true,
    alternates: true,
    userFirst: true,
    refusedKeywords: [
      '$schema',
      '$id',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'const',
    ],
  },
  mistral: {
    ...CAREFUL,
    fields: new Set([...EVERYWHERE, 'max_tokens', 'parallel_tool_calls']),
    callId: /^[a-zA-Z0-9]{9}$/,
    anyTool: 'any',
    besideCalls: '',
    alternates: true,
    takesUserAfterResults: false,
  },
  groq: { ...CAREFUL, ...withFields('parallel_tool_calls', 'reasoning_effort'), takesSystemMidway: true },
  moonshot: {
    ...CAREFUL,
    ...withFields('thinking', 'prompt_cache_key'),
    maxStop: 5,
    thinkingField: 'reasoning_content',
    takesSystemMidway: true,
    takesSchemaFormat: false,
  },
  zhipu: {
    ...CAREFUL,
    ...withFields('thinking'),
    maxStop: 1,
    thinkingField: 'reasoning_content',
    takesSchemaFormat: false,
  },
  qwen: {
    ...CAREFUL,
    ...withFields('enable_thinking', 'parallel_tool_calls', 'top_k'),
    besideCalls: '',
    takesSchemaFormat: false,
  },
  ollama: {
    ...CAREFUL,
    ...withFields('reasoning_effort'),
    besideCalls: '',
    thinkingField: 'reasoning',
    takesSystemMidway: true,
  },
  vllm: {
    ...CAREFUL,
    ...withFields('parallel_tool_calls', 'reasoning_effort', 'top_k'),
    maxStop: 64,
    thinkingField: 'reasoning_content',
  },
  lmstudio: { ...CAREFUL, ...withFields('reasoning_effort', 'top_k'), maxStop: 16 },
  llamacpp: {
    ...CAREFUL,
    ...withFields('parallel_tool_calls', 'top_k'),
    maxStop: 64,
    thinkingField: 'reasoning_content',
  },
  generic: CAREFUL,
}
