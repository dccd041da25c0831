import { expect, test } from 'vitest'
import { profiles } from '../providers/providers.ts'
import { completeProfile } from './profile.ts'

test('a profile of its own dialect is complete and stays the same object', () => {
  expect(completeProfile(profiles.openai, profiles.generic)).toBe(profiles.openai)
})

test('what a profile does not say is as the default of the dialect says', () => {
  const { maxTools: _maxTools, ...rest } = profiles.openai
  expect(completeProfile(rest, profiles.generic)).toEqual({ ...profiles.openai, maxTools: 128 })
})

test('a profile of another dialect keeps what the two share', () => {
  const profile = completeProfile(profiles['amazon-q'], profiles.generic)
  expect(profile).toMatchObject({ name: 'amazon-q', callIds: { maxLength: 64 }, maxTools: 128 })
})
