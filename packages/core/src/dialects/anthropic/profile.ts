import type { Effort, ModelRule, Profile, SchemaRule } from '../../profiles/profile.ts'

/** A way of telling a model to think, or not to. */
export type ThinkingForm = 'enabled' | 'adaptive' | 'disabled'

/** What one server does differently in Anthropic Messages. */
export interface AnthropicProfile extends Profile {
  /** The forms of `thinking` that the model takes; where they are not known, the client's form goes out. */
  readonly thinking: readonly ThinkingForm[] | undefined
  /** The levels of `output_config.effort` that it takes, weakest first; where they are not known, any goes out. */
  readonly efforts: readonly Effort[] | undefined
  readonly maxOutputTokens: number | undefined
  /** Whether temperature and top_p may both be set, one of them, or none. */
  readonly sampling: 'all' | 'one' | 'none'
  /** Whether a request may end with a turn of the assistant, for the model to go on with. */
  readonly takesPrefill: boolean
  /** Whether a system message may come between the turns. */
  readonly systemMidway: 'keep' | 'reminder'
  /** Whether an answer or a call can be held to a schema. */
  readonly takesSchemas: boolean
  /** What the schema of an answer may not hold. */
  readonly schema: SchemaRule
  /** Whether earlier thinking without a signature is refused, or wanted back by a server that does not sign. */
  readonly unsignedThinking: 'drop' | 'keep'
  /** Whether marks in the request say what is to be cached. */
  readonly takesCacheMarks: boolean
  readonly models: readonly ModelRule<AnthropicProfile>[]
}

type Overrides = ModelRule<AnthropicProfile>['overrides']

/** Thinking by a budget of tokens, and nothing else. */
const BY_BUDGET: Overrides = {
  thinking: ['enabled', 'disabled'],
  efforts: [],
  systemMidway: 'reminder',
  takesSchemas: false,
}

/** Thinking by effort, no sampling, system messages between the turns. */
const ADAPTIVE: Overrides = {
  thinking: ['adaptive', 'disabled'],
  efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  maxOutputTokens: 128_000,
  sampling: 'none',
  takesPrefill: false,
}

/** What Anthropic's models take, by their names on every platform: `claude-opus-4-5`, `anthropic/claude-opus-4.5`. */
const CLAUDE: readonly ModelRule<AnthropicProfile>[] = [
  { pattern: /claude-3(?!\d)/, overrides: { ...BY_BUDGET, thinking: [], maxOutputTokens: 4096 } },
  { pattern: /claude-3[-.]5/, overrides: { maxOutputTokens: 8192 } },
  { pattern: /claude-3[-.]7/, overrides: { ...BY_BUDGET, maxOutputTokens: 64_000 } },
  { pattern: /claude-(?:opus|sonnet|haiku)-4(?!\d)/, overrides: { ...BY_BUDGET, maxOutputTokens: 64_000 } },
  // Eight digits are a date and no version.
  { pattern: /claude-opus-4(?![-.]\d{1,2}(?!\d))/, overrides: { maxOutputTokens: 32_000 } },
  { pattern: /claude-opus-4[-.][01](?!\d)/, overrides: { maxOutputTokens: 32_000 } },
  { pattern: /claude-[a-z]+-4[-.][156](?!\d)/, overrides: { sampling: 'one', takesSchemas: true } },
  { pattern: /claude-opus-4[-.]5(?!\d)/, overrides: { efforts: ['low', 'medium', 'high'] } },
  {
    pattern: /claude-[a-z]+-4[-.]6(?!\d)/,
    overrides: {
      thinking: ['enabled', 'adaptive', 'disabled'],
      efforts: ['low', 'medium', 'high', 'max'],
      maxOutputTokens: 128_000,
      takesPrefill: false,
    },
  },
  { pattern: /claude-[a-z]+-4[-.][789](?!\d)/, overrides: { ...ADAPTIVE, takesSchemas: true } },
  {
    pattern: /claude-(?:[a-z]+-4[-.][89](?!\d)|[a-z]+-(?:[5-9]|\d\d)(?!\d)|fable|mythos)/,
    overrides: { ...ADAPTIVE, takesSchemas: true, systemMidway: 'keep' },
  },
  // These always think.
  {
    pattern: /claude-(?:fable|mythos|opus-(?:5[-.][5-9]|[6-9]|\d\d)(?!\d))/,
    overrides: { thinking: ['adaptive'] },
  },
]

/**
 * Models of others, whose makers and hosts speak Messages too: many do not sign, and some insist on earlier thinking.
 * System messages between the turns are newer than most of these servers.
 */
const OTHERS: ModelRule<AnthropicProfile> = {
  pattern:
    /deepseek|kimi|moonshot|glm|minimax|qwen|qwq|gpt-oss|mimo|ernie|doubao|hunyuan|gemma|llama|mistral/i,
  overrides: { unsignedThinking: 'keep', systemMidway: 'reminder' },
}

/** Anthropic itself; of models with other names nothing is known. */
export const defaultProfile: AnthropicProfile = {
  name: 'anthropic',
  keyHeader: 'x-api-key',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  toolNameLength: 128,
  callIds: { maxLength: 256, pattern: /^[a-zA-Z0-9_-]+$/ },
  thinking: undefined,
  efforts: undefined,
  maxOutputTokens: undefined,
  sampling: 'all',
  takesPrefill: true,
  systemMidway: 'keep',
  takesSchemas: true,
  schema: {
    refusedKeywords: [
      ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
      ['minLength', 'maxLength', 'maxItems', 'uniqueItems', 'prefixItems', 'contains'],
      ['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'],
      ['not', 'if', 'then', 'else', 'dependentRequired', 'dependentSchemas'],
    ].flat(),
    flattensTop: true,
  },
  unsignedThinking: 'drop',
  takesCacheMarks: true,
  models: [...CLAUDE, OTHERS],
}
