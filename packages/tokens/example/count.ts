import { countTokens } from '@hydra/tokens'

const tokens = countTokens({
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'How long is this?' }],
})
console.log(tokens)
