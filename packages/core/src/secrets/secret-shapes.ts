/** A kind of key that a provider or a tool hands out, known by how it begins. */
export interface SecretShape {
  /** Who hands it out. */
  readonly owner: string
  /** The beginning as the source of a regular expression, without capturing groups. */
  readonly beginning: string
  /** Set where ordinary names begin in the same way (`sk_buff_head_init`): only what has a digit is a key then. */
  readonly needsDigit?: true
}

/** The one list of key shapes: errors are masked and tapes are redacted by it. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  { owner: 'OpenAI, Anthropic, OpenRouter, DeepSeek and many others', beginning: 'sk-' },
  { owner: 'Stripe', beginning: '[spr]k_(?:live|test)_' },
  { owner: 'ElevenLabs and others', beginning: '[spr]k_', needsDigit: true },
  { owner: 'Langfuse and others', beginning: '[pr]k-', needsDigit: true },
  { owner: 'Groq', beginning: 'gsk_' },
  { owner: 'Google', beginning: 'AIza' },
  { owner: 'Google OAuth', beginning: 'ya29\\.' },
  { owner: 'GitHub', beginning: 'gh[pousr]_' },
  { owner: 'GitHub, fine-grained', beginning: 'github_pat_' },
  { owner: 'GitLab', beginning: 'glpat-' },
  { owner: 'Slack', beginning: 'xox[abeoprs]-' },
  { owner: 'AWS', beginning: 'A[KS]IA' },
  { owner: 'Hugging Face', beginning: 'hf_' },
  { owner: 'xAI', beginning: 'xai-' },
  { owner: 'NVIDIA', beginning: 'nvapi-' },
  { owner: 'Perplexity', beginning: 'pplx-' },
  { owner: 'Cerebras', beginning: 'csk-' },
  { owner: 'Fireworks', beginning: 'fw_', needsDigit: true },
  { owner: 'Together', beginning: 'tgp_' },
  { owner: 'npm', beginning: 'npm_' },
  { owner: 'Hydra, keys of a team', beginning: 'hydra_', needsDigit: true },
]

/** A JSON web token, as the source of a regular expression. */
export const JSON_WEB_TOKEN = 'eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*'

/** The word before a token in an `authorization` header, as the source of a regular expression in lower case. */
export const BEARER_WORD = 'bearer\\s{1,4}'

/** Any key of the list with at least `minLength` characters behind its beginning, which is captured, as the source of a pattern. */
export function keyPattern(minLength: number): string {
  const beginnings = SECRET_SHAPES.map(({ beginning, needsDigit }) =>
    needsDigit === true ? `${beginning}(?=[\\w-]*\\d)` : beginning,
  )
  return `(${beginnings.join('|')})[\\w-]{${minLength},}`
}
