/**
 * How one vendor says that a request does not fit. The named groups of the pattern are the numbers it gives:
 * `tokens` (the prompt), `output` (the requested answer), `total` (both), `excess` (how far over) and `limit`.
 */
export interface OverflowWording {
  readonly vendor: string
  readonly pattern: RegExp
}

/** The error codes that mean a context overflow whatever the message says. */
export const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'model_max_prompt_tokens_exceeded',
  'exceed_context_size_error',
  'contextwindowexceedederror',
  '1261', // Zhipu
])

/** Words about tokens that are about a rate, not about the size of this request. */
export const RATE_WORDS: RegExp =
  /rate.?limit|too many requests|throttl|per.(?:minute|hour|day)|\b(?:tpm|tpd|rpm)\b|please wait before/i

/** Words about the limit of the answer alone, which no shorter prompt would help. */
export const OUTPUT_LIMIT_WORDS: RegExp =
  /max_(?:completion_|output_|new_)?tokens\b[^.;]{0,40}\b(?:exceeds|greater than|larger than)\b|at most [\d,]{1,15} (?:completion|output) tokens/i

/** What a client of Anthropic's already understands, and is passed on as it is. */
export const ANTHROPIC_WORDS: RegExp =
  /prompt is too long: \d{1,12} tokens > \d{1,12} maximum|input length and `max_tokens` exceed context limit: \d{1,12} \+ \d{1,12} > \d{1,12}/

/** The wordings, those that give more numbers first. A count that is only a lower bound is not captured. */
export const OVERFLOW_WORDINGS: readonly OverflowWording[] = [
  {
    vendor: 'Anthropic',
    pattern: /prompt is too long: (?<tokens>\d{1,12}) tokens > (?<limit>\d{1,12}) maximum/,
  },
  {
    vendor: 'Anthropic',
    pattern:
      /input length and `?max_tokens`? exceed context limit\D{0,10}(?<tokens>[\d,]{1,15}) \+ (?<output>[\d,]{1,15}) > (?<limit>[\d,]{1,15})/i,
  },
  {
    // Also Azure, DeepSeek, vLLM up to 0.10, and OpenRouter with its "about" and "in the output".
    vendor: 'OpenAI',
    pattern:
      /maximum context length is (?<limit>[\d,]{1,15}) tokens[.,] however,? you requested (?:about )?(?<total>[\d,]{1,15}) tokens \([^)]{0,160}?\b(?<output>\d{1,12}) (?:in|for) the (?:completion|output)/i,
  },
  {
    vendor: 'OpenAI',
    pattern:
      /maximum context length is (?<limit>[\d,]{1,15}) tokens[.,] however,? (?:your messages resulted in|you requested(?: about)?|your request has|your prompt (?:contains|has)|your input has) (?<tokens>[\d,]{1,15}) (?:input )?tokens/i,
  },
  {
    vendor: 'OpenAI',
    pattern:
      /input tokens exceed the configured limit of (?<limit>[\d,]{1,15}) tokens\. your messages resulted in (?<tokens>[\d,]{1,15}) tokens/i,
  },
  {
    // From 0.18 on; "at least" marks a count that stopped at the limit.
    vendor: 'vLLM',
    pattern:
      /maximum context length is (?<limit>[\d,]{1,15}) tokens\. however, you requested (?<output>[\d,]{1,15}) output tokens and your prompt contains (?<tokens>[\d,]{1,15}) input tokens/i,
  },
  {
    vendor: 'vLLM',
    pattern:
      /max_(?:completion_)?tokens'? is too large: (?<output>[\d,]{1,15})\. ?this model's maximum context length is (?<limit>[\d,]{1,15}) tokens and your request has (?<tokens>[\d,]{1,15}) input tokens/i,
  },
  {
    // 0.16 and 0.17 stop counting one token past the limit, so the count says nothing.
    vendor: 'vLLM',
    pattern:
      /you passed [\d,]{1,15} input (?:tokens|characters) and requested [\d,]{1,15} output tokens\. however, the model's context length is only (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'vLLM',
    pattern:
      /prompt \((?:length )?(?<tokens>[\d,]{1,15})(?: tokens)?\) (?:plus the number of requested output tokens \(at least \d\) )?is (?:longer than the maximum model length of|too long and exceeds limit of) (?<limit>[\d,]{1,15})/i,
  },
  {
    // Also Cloudflare, iFlow and others who run it.
    vendor: 'SGLang',
    pattern:
      /maximum context length of (?<limit>[\d,]{1,15}) tokens\. you requested a total of [\d,.]{1,17} tokens: (?<tokens>[\d,]{1,15})(?:\.0)? tokens from the input messages and (?<output>[\d,]{1,15})/i,
  },
  {
    vendor: 'Together',
    pattern:
      /input \((?<tokens>[\d,]{1,15}) tokens\) is longer than the model'?s context length \((?<limit>[\d,]{1,15})/i,
  },
  {
    // SGLang's scheduler, Poolside behind OpenRouter, Volcengine.
    vendor: 'SGLang',
    pattern:
      /input length \(?(?<tokens>[\d,]{1,15})(?: tokens\))? exceeds the maximum (?:allowed )?(?:input )?length (?:of )?\(?(?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'Mistral',
    pattern:
      /prompt contains (?<tokens>[\d,]{1,15}) tokens.{0,60}too large for model with (?<limit>[\d,]{1,15}) maximum context length/i,
  },
  {
    vendor: 'Gemini',
    pattern:
      /input token count \(?(?<tokens>[\d,]{1,15})\)? exceeds the maximum number of tokens allowed \(?(?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'Vertex',
    pattern:
      /input token count is (?<tokens>[\d,]{1,15}) but (?:the )?model only supports up to (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'xAI',
    pattern:
      /maximum prompt length is (?<limit>[\d,]{1,15}) but the request contains (?<tokens>[\d,]{1,15}) tokens/i,
  },
  {
    vendor: 'Moonshot',
    pattern: /exceeded model token limit\s?: (?<limit>[\d,]{1,15}) \(requested\s?: (?<tokens>[\d,]{1,15})\)/i,
  },
  {
    // Also Ollama's cloud.
    vendor: 'Fireworks',
    pattern:
      /prompt is too long: (?<tokens>[\d,]{1,15}), model maximum context length: (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'llama.cpp',
    pattern:
      /request \((?<tokens>[\d,]{1,15}) tokens\) exceeds the available context size \((?<limit>[\d,]{1,15}) tokens\)/i,
  },
  {
    vendor: 'llama.cpp',
    pattern:
      /input \((?<tokens>[\d,]{1,15}) tokens\) is larger than the max context size \((?<limit>[\d,]{1,15}) tokens\)/i,
  },
  { vendor: 'llama.cpp', pattern: /n_keep: (?<tokens>\d{1,12})\s?>= n_ctx: (?<limit>\d{1,12})/i },
  {
    vendor: 'DwarfStar',
    pattern:
      /prompt has (?<tokens>[\d,]{1,15}) tokens?, but the configured context size is (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'Bedrock',
    pattern:
      /too many input tokens\. max input tokens: (?<limit>[\d,]{1,15}), request input token count: (?<tokens>[\d,]{1,15})/i,
  },
  {
    vendor: 'Cerebras',
    pattern: /current length is (?<tokens>[\d,]{1,15}) while limit is (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'TGI',
    pattern:
      /`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>\d{1,12})\. given: (?<tokens>\d{1,12}) `inputs` tokens and (?<output>\d{1,12}) `max_new_tokens`/i,
  },
  {
    vendor: 'TGI',
    pattern: /`inputs` must have less than (?<limit>\d{1,12}) tokens\. given: (?<tokens>\d{1,12})/i,
  },
  {
    vendor: 'Cohere',
    pattern:
      /too many tokens: total number of tokens.{0,60}cannot exceed (?<limit>[\d,]{1,15}) - received (?<tokens>[\d,]{1,15})/i,
  },
  {
    vendor: 'Cohere',
    pattern:
      /too many tokens: size limit exceeded by (?<excess>[\d,]{1,15}) tokens.{0,120}limit for this model is (?<limit>[\d,]{1,15}) tokens/i,
  },
  {
    vendor: 'GitHub Copilot',
    pattern: /prompt token count of (?<tokens>[\d,]{1,15}) exceeds the limit of (?<limit>[\d,]{1,15})/i,
  },
  {
    vendor: 'SambaNova',
    pattern:
      /provided prompt is (?<tokens>[\d,]{1,15}) tokens long.{0,120}maximum supported sequence length is (?:just )?(?<limit>[\d,]{1,15})/i,
  },
  // From here on no count of the prompt is given, or only a lower bound of it.
  {
    vendor: 'OpenAI and its kin',
    pattern:
      /this (?:model|endpoint)'s maximum context length is [\d,]{1,15} tokens|exceeds? (?:the )?(?:model'?s? )?maximum context length|(?:exceeds?|larger than) (?:the |this )?(?:model'?s? )?context (?:window|limit|length)|context[_ ](?:length|window)[_ ]exceeded|tokens in request more than max tokens allowed/i,
  },
  { vendor: 'Groq', pattern: /reduce the length of the (?:input )?(?:messages|prompt)/i },
  { vendor: 'Gemini', pattern: /input token count.{0,20} exceeds the maximum number of tokens/i },
  { vendor: 'Moonshot', pattern: /exceeded model token limit/i },
  {
    vendor: 'Zhipu',
    pattern: /prompt exceeds (?:the )?max(?:imum)? (?:context )?length|prompt ?超长|超[过出]最大长度/i,
  },
  { vendor: 'Qwen', pattern: /range of input length should be \[\d{1,12}, ?\d{1,12}\]/i },
  {
    vendor: 'Ollama',
    pattern:
      /prompt too long; exceeded (?:max )?context length|input length exceeds (?:the )?(?:maximum )?context length|prompt is longer than the context length/i,
  },
  {
    vendor: 'LM Studio',
    pattern:
      /initial prompt is greater than the context length|model is loaded with context length of only \d{1,12}|context size has been exceeded/i,
  },
  {
    vendor: 'llama.cpp',
    pattern: /exceeds the available context size|input is larger than the max context size/i,
  },
  { vendor: 'xAI', pattern: /maximum prompt length is [\d,]{1,15}/i },
  { vendor: 'MiniMax', pattern: /context window exceeds limit/i },
  { vendor: 'Bedrock', pattern: /input is too long(?: for requested model|[.;]|$)/i },
  { vendor: 'Anthropic', pattern: /prompt is too long/i },
]
