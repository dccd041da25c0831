import type { ExchangeReport } from '@hydra/gateway'
import { expect, test } from 'vitest'
import { readSettings } from '../settings/read-settings.ts'
import { createLog } from './log.ts'

const REPORT: ExchangeReport = {
  id: 'req_1',
  method: 'POST',
  path: '/v1/messages',
  client: 'anthropic',
  agent: { kind: 'client', name: 'claude' },
  outcome: 'failed',
  status: 400,
  stream: false,
  duration: 5,
  toolCalls: 0,
  retries: 0,
  notes: [],
}

async function lineOf(report: ExchangeReport): Promise<string> {
  const settings = await readSettings({ log: 'json' }, { HOME: '/nonexistent' })
  let written = ''
  createLog(settings, (text) => (written += text)).exchange(report)
  return written
}

test('a line of JSON holds nothing that controls a terminal, and is the same value', async () => {
  // A control sequence in one character, a mark that turns the direction, a line separator, half a character.
  const clientModel = 'a\u009b31m\u202eb\u2028c\u200fd\u0007\ud800'
  const line = await lineOf({ ...REPORT, clientModel })
  expect(line).toMatch(/^[\x20-\x7e]+\n$/)
  expect(JSON.parse(line)).toMatchObject({ clientModel, outcome: 'failed' })
})

test('names of any length do not make lines of any length', async () => {
  const long = 'x'.repeat(10_000_000)
  const line = await lineOf({
    ...REPORT,
    clientModel: long,
    notes: [{ code: 'field_ignored', path: long, message: long }],
    error: { kind: 'api_error', message: long },
  })
  expect(line.length).toBeLessThan(10_000)
  expect(JSON.parse(line)).toMatchObject({
    clientModel: expect.stringContaining('characters more') as string,
  })
})
