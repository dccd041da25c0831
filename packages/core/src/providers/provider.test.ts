import { expect, test } from 'vitest'
import { amazonQ } from '../dialects/amazon-q/index.ts'
import { anthropic } from '../dialects/anthropic/index.ts'
import { openaiChat } from '../dialects/openai-chat/index.ts'
import { registry } from '../dialects/registry.ts'
import { dialectFor, type Provider, spokenBy } from './provider.ts'
import { profiles, providerNamed, providers } from './providers.ts'

const TWO_DIALECTS: Provider = {
  name: 'two',
  url: 'http://two/v1',
  speaks: [
    { dialect: anthropic.name, profile: profiles.anthropic, models: /^new-/, url: 'http://two/messages' },
    { dialect: openaiChat.name, profile: profiles.generic },
  ],
}

test('a provider is called in the first of its dialects that takes the model', () => {
  expect(dialectFor(TWO_DIALECTS, 'new-1')).toBe(anthropic.name)
  expect(dialectFor(TWO_DIALECTS, 'old-1')).toBe(openaiChat.name)
})

test('a dialect that takes no model by itself is not taken unless there is no other', () => {
  const [first] = TWO_DIALECTS.speaks
  expect(dialectFor({ ...TWO_DIALECTS, speaks: [first] }, 'old-1')).toBe(anthropic.name)
})

test('a dialect is spoken at its own address, or else at the provider’s', () => {
  expect(spokenBy(TWO_DIALECTS, anthropic.name).url).toBe('http://two/messages')
  expect(spokenBy(TWO_DIALECTS, openaiChat.name).url).toBe('http://two/v1')
})

test('a dialect that a provider is not known to speak is spoken as the dialect’s default says', () => {
  const { profile, url } = spokenBy(TWO_DIALECTS, amazonQ.name)
  expect(profile).toEqual({ ...amazonQ.upstream.defaultProfile, name: 'two' })
  expect(url).toBe('http://two/v1')
})

test.each(Object.entries(providers))(
  '%s goes by its name and speaks dialects that there are',
  (name, provider) => {
    expect(provider.name).toBe(name)
    expect(providerNamed(name)).toBe(provider)
    for (const { dialect, profile } of provider.speaks) {
      expect(profile.name).toBe(name)
      // No profile has a field of another dialect, and none lacks one of its own.
      expect(Object.keys(profile).toSorted()).toEqual(
        Object.keys(registry.upstream(dialect).defaultProfile).toSorted(),
      )
    }
  },
)

test('`profiles` has what each provider does in the dialect that it wants', () => {
  for (const [name, provider] of Object.entries(providers)) {
    expect(profiles[name as keyof typeof profiles]).toBe(provider.speaks[0].profile)
  }
})

test('what every object has is no provider', () => {
  expect(providerNamed('constructor')).toBeUndefined()
})
