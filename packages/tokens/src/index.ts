export { countTokens, type Prompt } from './count-tokens.ts'
