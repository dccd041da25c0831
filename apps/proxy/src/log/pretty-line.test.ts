import type { ExchangeReport } from '@hydra/gateway'
import { expect, test } from 'vitest'
import { prettyLine } from './pretty-line.ts'
import { traceLines } from './trace-lines.ts'

const NOON = new Date(2026, 0, 2, 12, 34, 56)

const REPORT: ExchangeReport = {
  id: 'req_1',
  method: 'POST',
  path: '/v1/messages',
  client: 'anthropic',
  agent: { kind: 'client', name: 'claude-cli/2.1.325', session: '0123456789abcdef' },
  outcome: 'answered',
  status: 200,
  stream: true,
  route: 'openai',
  upstream: 'openai',
  clientModel: 'claude-opus-5',
  upstreamModel: 'gpt-5.1',
  firstByte: 840,
  duration: 12_345,
  usage: {
    input_tokens: 200,
    cache_read_input_tokens: 1000,
    cache_creation_input_tokens: 5,
    output_tokens: 34,
  } as NonNullable<ExchangeReport['usage']>,
  toolCalls: 2,
  retries: 1,
  notes: [],
}

const note = (code: string): ExchangeReport['notes'][number] => ({ code, path: 'messages[0]', message: 'm' })

test('an answer: time, agent, models, route, status, times, tokens, calls, retries', () => {
  expect(prettyLine(REPORT, NOON)).toBe(
    '12:34:56  claude-cli/2.1.325 01234567  claude-opus-5 → openai gpt-5.1 (openai)  200  first 0.84s, 12s  in 1205 (1000 cached), out 34  2 calls  1 retry',
  )
})

test('lead and teammate are named as such', () => {
  const lead = { ...REPORT, agent: { kind: 'lead', name: 'claude-cli/2' } as const }
  expect(prettyLine(lead, NOON)).toContain('  lead claude-cli/2  ')
  const teammate = { ...REPORT, agent: { kind: 'teammate', name: 'claude-cli/2', session: 's' } as const }
  expect(prettyLine(teammate, NOON)).toContain('  teammate claude-cli/2 s  ')
})

test('notes that are usual for a client do not hide the one that is not', () => {
  const notes = ['a', 'b', 'c', 'image_dropped'].map(note)
  const line = (usual: string[]): string => prettyLine({ ...REPORT, notes }, NOON, new Set(usual))
  expect(line(['a', 'b', 'c'])).toContain('1 note: image_dropped  3 usual notes')
  expect(line(['a', 'b', 'c', 'image_dropped'])).toMatch(/ {2}4 usual notes$/)
})

test('notes are counted, and the first kinds named', () => {
  const notes = ['a', 'a', 'b', 'c', 'd'].map(note)
  expect(prettyLine({ ...REPORT, notes }, NOON)).toContain('5 notes: a, b, c, …')
  expect(prettyLine({ ...REPORT, notes: [note('a')] }, NOON)).toContain('1 note: a')
})

function looped(mode: 'warn' | 'notify' | 'stop'): string {
  return prettyLine({ ...REPORT, loop: { mode, kind: 'same_call', tool: 'Bash\n', count: 5 } }, NOON)
}

test('a loop is named with its tool, how often it came, and what was done', () => {
  expect(looped('warn')).toMatch(/ {2}loop: Bash {2}5 times$/)
  expect(looped('notify')).toContain('  loop: Bash  5 times, the model was told')
  expect(looped('stop')).toContain('  loop: Bash  5 times, stopped')
})

test('what did not come is left out', () => {
  const {
    route: _r,
    upstream: _u,
    clientModel: _c,
    upstreamModel: _m,
    firstByte: _f,
    usage: _s,
    ...bare
  } = REPORT
  const refused = {
    ...bare,
    outcome: 'failed',
    status: 401,
    toolCalls: 0,
    retries: 0,
    duration: 3,
    error: { kind: 'authentication_error', message: 'no key' },
  } as const
  expect(prettyLine(refused, NOON)).toBe(
    '12:34:56  claude-cli/2.1.325 01234567  POST /v1/messages  401  0.00s  authentication_error: no key',
  )
  expect(prettyLine({ ...REPORT, outcome: 'aborted', status: 0 }, NOON)).toContain('  client gone  ')
})

test('foreign words stay in their line: no breaks, no escapes, no end of it', () => {
  const line = prettyLine(
    {
      ...REPORT,
      clientModel: 'evil\n12:00:00  forged\u001b[2K\u009b\u202e',
      client: 'anthropic',
      agent: { kind: 'client', name: 'a\u0085b' },
      error: { kind: 'api_error', message: 'x'.repeat(5000) },
    },
    NOON,
  )
  expect(line).toContain(String.raw`evil 12:00:00  forged\u{1b}[2K\u{9b}\u{202e} → openai`)
  expect(line).toContain(String.raw`a\u{85}b`)
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/)
  expect(line.length).toBeLessThan(600)
})

test('the trace shows message by message what became what, and each note', () => {
  const outline = { index: 0, role: 'user', blocks: { text: 1, image: 2 }, calls: 0, results: 0 }
  const trace = { input: [outline], output: [{ ...outline, blocks: {} }], notes: [] }
  const report = { ...REPORT, trace, notes: [note('image_dropped')] }
  expect(traceLines(report, { traces: false })).toBe('')
  expect(traceLines(report, { traces: true })).toBe(
    [
      '    in: 1 messages',
      '      [0] user: 1 text, 2 image (calls 0, results 0)',
      '    out: 1 messages',
      '      [0] user: empty (calls 0, results 0)',
      '    note image_dropped at messages[0]: m',
      '',
    ].join('\n'),
  )
})

test.each([
  [{ usd: 0.01234, savedByCache: 0 }, '$0.0123'],
  [{ usd: 12.345, savedByCache: 0 }, '$12.35'],
  [{ usd: 0, savedByCache: 0 }, '$0.00'],
  [{ unknown: 'no list' }, 'cost unknown'],
])('a cost of %o is %s', (cost, words) => {
  expect(prettyLine({ ...REPORT, cost }, NOON)).toContain(`out 34  ${words}  2 calls`)
})

test('an estimate of tokens is called one', () => {
  expect(prettyLine({ ...REPORT, isEstimated: true }, NOON)).toContain('out 34 (estimated)')
})
