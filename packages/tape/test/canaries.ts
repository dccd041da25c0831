/** Put together from pieces, so that no file looks as if it held a key. */
function of(...pieces: readonly string[]): string {
  return pieces.join('')
}

const LETTERS = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'

/** Made-up secrets of every shape that is known. */
export const CANARIES: Readonly<Record<string, string>> = {
  openai: of('sk', '-', LETTERS),
  project: of('sk', '-proj-', LETTERS, '_', LETTERS),
  anthropic: of('sk', '-ant-api03-', LETTERS, '-', LETTERS),
  openrouter: of('sk', '-or-v1-', LETTERS),
  stripe: of('sk', '_live_', LETTERS),
  groq: of('gsk', '_', LETTERS),
  google: of('AI', 'za', LETTERS, 'abc'),
  github: of('gh', 'p_', LETTERS),
  githubServer: of('gh', 's_', LETTERS),
  githubFine: of('github', '_pat_', LETTERS),
  slack: of('xo', 'xb-', '123456789012-', LETTERS),
  aws: of('AK', 'IA', 'ABCDEFGHIJ234567'),
  huggingface: of('hf', '_', LETTERS),
  xai: of('xa', 'i-', LETTERS),
  nvidia: of('nv', 'api-', LETTERS),
  jwt: of('ey', 'JhbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.', LETTERS),
}

/** Tokens that only the word before them gives away. */
export const BEARER_TOKEN: string = of('abcdef', '0123456789', '.ghijkl+/==')

/** An address of nobody. */
export const ADDRESS: string = of('jane.doe', '+x@', 'mail.example.org')

/** A private key of nobody, with line feeds. */
export const PRIVATE_KEY: string = [
  of('-----BEGIN ', 'RSA PRIVATE KEY-----'),
  ...Array.from({ length: 6 }, () => LETTERS + LETTERS),
  of('-----END ', 'RSA PRIVATE KEY-----'),
].join('\n')

/** A configured key that has no known shape. */
export const PLAIN_SECRET: string = of('correct', '/horse+', 'battery=')

/** A configured key with characters that JSON and URLs write differently. */
export const ODD_SECRET: string = of('päss "word" ', '\\ & mörE')
