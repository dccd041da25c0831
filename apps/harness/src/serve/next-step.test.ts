import { readTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { callOf, exchange, tapeOf } from '../../test/exchanges.ts'
import { WEATHER } from '../../test/weather-tape.ts'
import { nextStep } from './next-step.ts'

const URL = 'http://127.0.0.1:1/v1'

test('a proxy in front of a tape is told to ask for the recorded model', () => {
  const served = { url: URL, source: readTape(WEATHER), leg: 'upstream' } as const
  expect(nextStep(served, {})).toBe(
    `  Claude Code: hydra run --port 0 --target-url ${URL} --provider generic --model scripted claude (or serve it --as proxy)\n`,
  )
  const script = { npm_package_name: 'hydra', npm_lifecycle_event: 'tape' }
  expect(nextStep(served, script)).toContain('pnpm hydra run --port 0')
})

test('the provider that is usual need not be said', () => {
  const source = tapeOf('t', exchange({ via: { profile: 'openai', model: 'gpt-test' } }))
  expect(nextStep({ url: URL, source, leg: 'upstream' }, {})).toContain(`${URL} --model gpt-test claude`)
})

test.for([
  ['two models', tapeOf('t', exchange(), { ...exchange(), calls: [callOf({ via: { model: 'other' } })] })],
  ['another dialect', tapeOf('t', exchange({ via: { dialect: 'anthropic' } }))],
  ['what went through unchanged', tapeOf('t', exchange({ via: { passthrough: true } }))],
  ['a profile of its own', tapeOf('t', exchange({ via: { overrides: { maxTools: 5 } } }))],
  ['no call', tapeOf('t', { ...exchange(), calls: [] })],
] as const)('%s cannot be had from one command, so the other leg is named', ([, source]) => {
  expect(nextStep({ url: URL, source, leg: 'upstream' }, {})).toBe('  Claude Code: serve it --as proxy\n')
})

test.for([
  ['openai-responses', 'Codex: hydra run', `OpenAI's SDKs: OPENAI_BASE_URL=${URL}/v1 OPENAI_API_KEY=any`],
  ['gemini', 'Gemini CLI: hydra run', `Google's SDK: GOOGLE_GEMINI_BASE_URL=${URL} GEMINI_API_KEY=any`],
] as const)('the next step is for a client like the recorded one: %s', ([dialect, ran, typed]) => {
  const asked = exchange({ via: { profile: 'openai', model: 'gpt-4o' } })
  const source = tapeOf('t', { ...asked, request: asked.request && { ...asked.request, dialect } })
  expect(nextStep({ url: URL, source, leg: 'upstream' }, {})).toContain(ran)
  expect(nextStep({ url: URL, source, leg: 'proxy' }, {})).toBe(`  ${typed}\n`)
})
