import { expect, test } from 'vitest'
import { OVERFLOW_WORDINGS } from './context-overflow-wordings.ts'
import { describeOverflow } from '../clients/claude-code.ts'
import { countedOverflow, overflowIn } from './context-overflow.ts'

/** What a client of Anthropic's is told of an upstream's words. */
function wordsFor(says: string, code?: string): string | undefined {
  const overflow = overflowIn(says, code)
  return overflow && describeOverflow(overflow.counts, overflow.words)
}

const BOTH =
  'input length and `max_tokens` exceed context limit: 118000 + 16000 > 131072, decrease input length or `max_tokens` and try again'

interface Case {
  readonly vendor: string
  readonly says: string
  readonly becomes: string
}

const COUNTED: readonly Case[] = [
  {
    vendor: 'OpenAI',
    says: "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens. Please reduce the length of the messages.",
    becomes: 'prompt is too long: 130000 tokens > 128000 maximum',
  },
  {
    vendor: 'OpenAI with functions',
    says: "This model's maximum context length is 16385 tokens. However, your messages resulted in 20000 tokens (19000 in the messages, 1000 in the functions). Please reduce the length of the messages or functions.",
    becomes: 'prompt is too long: 20000 tokens > 16385 maximum',
  },
  {
    vendor: 'OpenAI, prompt and completion',
    says: "This model's maximum context length is 131072 tokens. However, you requested 134000 tokens (117000 in the messages, 1000 in the functions, and 16000 in the completion). Please reduce the length of the messages, functions, or completion.",
    becomes: BOTH,
  },
  {
    vendor: 'OpenAI, completions',
    says: "This model's maximum context length is 131072 tokens, however you requested 134000 tokens (118000 in your prompt; 16000 for the completion). Please reduce your prompt; or completion length.",
    becomes: BOTH,
  },
  {
    vendor: 'OpenAI, configured limit',
    says: 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.',
    becomes: 'prompt is too long: 300123 tokens > 272000 maximum',
  },
  {
    vendor: 'Azure, a request without a split',
    says: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens. Please reduce the length.",
    becomes: 'prompt is too long: 9000 tokens > 8192 maximum',
  },
  {
    vendor: 'DeepSeek, nothing for the completion',
    says: "This model's maximum context length is 1048565 tokens. However, you requested 1250025 tokens (1250025 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
    becomes: 'prompt is too long: 1250025 tokens > 1048565 maximum',
  },
  {
    vendor: 'OpenRouter',
    says: "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens (2500021 of text input). Please reduce the length of either one.",
    becomes: 'prompt is too long: 2500021 tokens > 200000 maximum',
  },
  {
    vendor: 'OpenRouter, input, tools and output',
    says: "This endpoint's maximum context length is 131072 tokens. However, you requested about 134000 tokens (100000 of text input, 18000 of tool input, 16000 in the output). Please reduce the length of either one.",
    becomes: BOTH,
  },
  {
    vendor: 'vLLM up to 0.10, a prompt that is too long by itself',
    says: "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    becomes: 'prompt is too long: 112946 tokens > 16384 maximum',
  },
  {
    vendor: 'vLLM, messages only',
    says: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages, Please reduce the length of the messages.",
    becomes: 'prompt is too long: 5000 tokens > 4096 maximum',
  },
  {
    vendor: 'vLLM 0.11, max_tokens',
    says: "'max_tokens' or 'max_completion_tokens' is too large: 16000. This model's maximum context length is 131072 tokens and your request has 118000 input tokens (16000 > 131072 - 118000). None",
    becomes: BOTH,
  },
  {
    vendor: 'vLLM 0.11, prompt',
    says: "This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens. Please reduce the length of the input messages.",
    becomes: 'prompt is too long: 40000 tokens > 32768 maximum',
  },
  {
    vendor: 'vLLM 0.18',
    says: "This model's maximum context length is 131072 tokens. However, you requested 16000 output tokens and your prompt contains 118000 input tokens, for a total of 134000 tokens. Please reduce the length of the input prompt.",
    becomes: BOTH,
  },
  {
    vendor: 'vLLM, engine',
    says: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    becomes: 'prompt is too long: 5000 tokens > 4096 maximum',
  },
  {
    vendor: 'vLLM, scheduler',
    says: 'Input prompt (36893 tokens) is too long and exceeds limit of 8192',
    becomes: 'prompt is too long: 36893 tokens > 8192 maximum',
  },
  {
    vendor: 'SGLang',
    says: "Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 134000 tokens: 118000 tokens from the input messages and 16000 tokens for the completion.",
    becomes: BOTH,
  },
  {
    vendor: 'iFlow, fractions',
    says: "Bad request!: Requested token count exceeds the model's maximum context length of 131072 tokens. You requested a total of 524300.0 tokens: 12 tokens from the input messages and 524288.0 tokens for the completion.",
    becomes:
      'input length and `max_tokens` exceed context limit: 12 + 524288 > 131072, decrease input length or `max_tokens` and try again',
  },
  {
    vendor: 'Together',
    says: "The input (265330 tokens) is longer than the model's context length (262144 tokens).",
    becomes: 'prompt is too long: 265330 tokens > 262144 maximum',
  },
  {
    vendor: 'SGLang, scheduler',
    says: 'Input length (265330 tokens) exceeds the maximum allowed length (262143 tokens). Use a shorter input.',
    becomes: 'prompt is too long: 265330 tokens > 262143 maximum',
  },
  {
    vendor: 'Poolside',
    says: 'Input length 265330 exceeds the maximum allowed input length of 262144 tokens.',
    becomes: 'prompt is too long: 265330 tokens > 262144 maximum',
  },
  {
    vendor: 'Mistral',
    says: 'Prompt contains 300000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
    becomes: 'prompt is too long: 300000 tokens > 131072 maximum',
  },
  {
    vendor: 'Gemini',
    says: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    becomes: 'prompt is too long: 1196265 tokens > 1048575 maximum',
  },
  {
    vendor: 'xAI',
    says: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    becomes: 'prompt is too long: 537812 tokens > 131072 maximum',
  },
  {
    vendor: 'Moonshot',
    says: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
    becomes: 'prompt is too long: 291351 tokens > 262144 maximum',
  },
  {
    vendor: 'Fireworks',
    says: 'The prompt is too long: 450028, model maximum context length: 262144',
    becomes: 'prompt is too long: 450028 tokens > 262144 maximum',
  },
  {
    vendor: 'llama.cpp',
    says: 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    becomes: 'prompt is too long: 9000 tokens > 8192 maximum',
  },
  {
    vendor: 'llama.cpp, without splitting',
    says: 'input (9000 tokens) is larger than the max context size (8192 tokens). skipping',
    becomes: 'prompt is too long: 9000 tokens > 8192 maximum',
  },
  {
    vendor: 'LM Studio, n_keep',
    says: 'Cannot truncate prompt with n_keep: 9000 >= n_ctx: 4096',
    becomes: 'prompt is too long: 9000 tokens > 4096 maximum',
  },
  {
    vendor: 'DwarfStar, thousands separators',
    says: 'Prompt has 300,000 tokens, but the configured context size is 131,072 tokens',
    becomes: 'prompt is too long: 300000 tokens > 131072 maximum',
  },
  {
    vendor: 'Bedrock',
    says: 'ValidationException: Too many input tokens. Max input tokens: 8192, request input token count: 9100',
    becomes: 'prompt is too long: 9100 tokens > 8192 maximum',
  },
  {
    vendor: 'Cerebras',
    says: 'Please reduce the length of the messages or completion. Current length is 70210 while limit is 65536',
    becomes: 'prompt is too long: 70210 tokens > 65536 maximum',
  },
  {
    vendor: 'TGI',
    says: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 131072. Given: 118000 `inputs` tokens and 16000 `max_new_tokens`',
    becomes: BOTH,
  },
  {
    vendor: 'TGI, prompt',
    says: 'Input validation error: `inputs` must have less than 2048 tokens. Given: 2222',
    becomes: 'prompt is too long: 2222 tokens > 2048 maximum',
  },
  {
    vendor: 'Cohere',
    says: 'too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354. Try using a shorter prompt.',
    becomes: 'prompt is too long: 6354 tokens > 2048 maximum',
  },
  {
    vendor: 'Cohere, by how much',
    says: 'too many tokens: size limit exceeded by 1000 tokens. Try using shorter or fewer inputs. The limit for this model is 128000 tokens.',
    becomes: 'prompt is too long: 129000 tokens > 128000 maximum',
  },
  {
    vendor: 'GitHub Copilot',
    says: 'prompt token count of 145000 exceeds the limit of 128000',
    becomes: 'prompt is too long: 145000 tokens > 128000 maximum',
  },
  {
    vendor: 'SambaNova',
    says: 'Requested generation length 1 is not possible! The provided prompt is 8307 tokens long, so generating 1 tokens requires a sequence length of 8308, but the maximum supported sequence length is just 8192!',
    becomes: 'prompt is too long: 8307 tokens > 8192 maximum',
  },
  {
    vendor: 'Anthropic',
    says: 'prompt is too long: 213462 tokens > 200000 maximum',
    becomes: 'prompt is too long: 213462 tokens > 200000 maximum',
  },
  {
    vendor: 'Anthropic behind a gateway',
    says: 'Provider returned error: prompt is too long: 213462 tokens > 200000 maximum',
    becomes: 'prompt is too long: 213462 tokens > 200000 maximum',
  },
  { vendor: 'Anthropic, prompt and max_tokens', says: BOTH, becomes: BOTH },
  {
    vendor: 'Anthropic, prompt and max_tokens, in brackets',
    says: 'input length and max_tokens exceed context limit (i.e 118000 + 16000 > 131072)',
    becomes: BOTH,
  },
]

test.each(COUNTED)('the numbers of $vendor are told in the words of Anthropic', ({ says, becomes }) => {
  expect(wordsFor(says)).toBe(becomes)
})

test.each([
  ['OpenAI', 'Your input exceeds the context window of this model. Please adjust your input and try again.'],
  ['LiteLLM', "This request exceeds the model's maximum context length of 8192 tokens"],
  [
    'vLLM 0.16',
    "You passed 134145 input tokens and requested 128000 output tokens. However, the model's context length is only 262144 tokens, resulting in a maximum input length of 134144 tokens.",
  ],
  [
    'vLLM 0.18',
    "This model's maximum context length is 262144 tokens. However, you requested 128000 output tokens and your prompt contains at least 134145 input tokens, for a total of at least 262145 tokens.",
  ],
  ['Groq', 'Please reduce the length of the messages or completion.'],
  ['Gemini', 'The input token count exceeds the maximum number of tokens allowed 1048576.'],
  ['Moonshot', 'Your request exceeded model token limit'],
  ['Zhipu', 'Prompt exceeds max length'],
  ['Zhipu', 'Prompt 超长'],
  ['Qwen', 'InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]'],
  ['Ollama', 'prompt too long; exceeded max context length by 1119046 tokens (ref: 96164522)'],
  ['Ollama', 'the input length exceeds the context length'],
  ['LM Studio', 'The number of tokens to keep from the initial prompt is greater than the context length.'],
  [
    'LM Studio',
    'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
  ],
  ['LM Studio', 'Context size has been exceeded.'],
  ['llama.cpp', 'the request exceeds the available context size. try increasing the context size'],
  ['xAI', "This model's maximum prompt length is 131072."],
  ['MiniMax', 'invalid params, context window exceeds limit (2013)'],
  ['Bedrock', 'Input is too long for requested model.'],
  ['any', 'context_length_exceeded'],
  ['LocalAI', 'tokens in request more than max tokens allowed'],
])('%s gives no count of the prompt, so its own words follow: %s', (_vendor, says) => {
  expect(wordsFor(says)).toBe(`prompt is too long: ${says}`)
})

test('words that already begin as they should are not prefixed', () => {
  expect(wordsFor('Prompt is too long')).toBe('Prompt is too long')
})

test.each(['context_length_exceeded', 'model_max_prompt_tokens_exceeded', '1261'])(
  'the code %s is enough, whatever the message',
  (code) => {
    expect(wordsFor('no', code)).toBe('prompt is too long: no')
    expect(wordsFor('', code)).toBe('prompt is too long')
  },
)

test.each([
  'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000. Please try again in 10s.',
  'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7000, please reduce your message size and try again.',
  'Too many tokens, please wait before trying again.',
  'Too many requests: reduce the length of the messages',
  'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
  'max_tokens (40000) exceeds the model context length',
  'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens',
  'Range of max_tokens should be [1, 8192]',
  'Request body too large',
  'Request exceeds the maximum size',
  "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760",
  'You exceeded your current quota, please check your plan and billing details.',
  'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 12000.',
  'The model `x` does not exist',
  '',
])('no overflow: %s', (says) => {
  expect(wordsFor(says)).toBeUndefined()
  expect(wordsFor(says, 'invalid_request_error')).toBeUndefined()
})

test('a client that could not lower max_tokens usefully is told that the prompt is too long', () => {
  const words = describeOverflow({ tokens: 130_000, output: 8000, limit: 131_072 }, 'no room')
  expect(words).toBe('prompt is too long: 138000 tokens > 131072 maximum')
})

test('numbers that contradict the overflow are not repeated', () => {
  const { counts, words } = countedOverflow({ tokens: 4096, limit: 4096 }, 'it is full')
  expect(describeOverflow(counts, words)).toBe('prompt is too long: it is full')
})

test('each wording is searched in a long hostile text, in a time that tests have', () => {
  const hostile = [
    "this model's maximum context length is 1 tokens. however, you requested 1 tokens (",
    'prompt contains 1 tokens',
    'too many tokens: total number of tokens',
    'max_tokens',
    '9',
    '9,',
  ].map((piece) => piece.repeat(400_000 / piece.length))
  // Quadratic time would be minutes.
  for (const text of hostile) wordsFor(text)
  expect(OVERFLOW_WORDINGS.every(({ pattern }) => !pattern.global)).toBe(true)
})
