export { countTokens } from './count.ts'
export type { Prompt } from './count.ts'
