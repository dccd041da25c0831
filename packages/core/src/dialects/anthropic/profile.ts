import type { ModelRule, Profile } from '../../profiles/profile.ts'

/** What one server does differently in Anthropic Messages. */
export interface AnthropicProfile extends Profile {
  readonly models: readonly ModelRule<AnthropicProfile>[]
}

/** Anthropic itself. */
export const defaultProfile: AnthropicProfile = {
  name: 'anthropic',
  keyHeader: 'x-api-key',
  consecutiveTurns: 'keep',
  firstTurn: 'any',
  toolNameLength: 128,
  callIds: { maxLength: 256, pattern: /^[a-zA-Z0-9_-]+$/ },
  models: [],
}
