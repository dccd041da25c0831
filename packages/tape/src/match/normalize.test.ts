import { expect, test } from 'vitest'
import type { TapedRequest } from '../format/tape.ts'
import { Matcher } from './matcher.ts'
import { dates, ids, normalized, replaceFolder, temporaryPaths } from './normalize.ts'

test.each([
  ['on 2026-11-18', 'on (date)'],
  ['at 2026-11-18T12:00:00.000Z!', 'at (date)!'],
  ['at 2026-11-18 12:00 +01:00', 'at (date)'],
  ['Wed, 18 Nov 2026 12:00:00 GMT', '(date)'],
  ['Today is November 18, 2026.', 'Today is (date).'],
  ['Wed Nov 18 2026', '(date)'],
  ['version 1.2.3 of 12/4', 'version 1.2.3 of 12/4'],
  ['May 18 people come?', 'May 18 people come?'],
])('dates: %s', (text, expected) => expect(dates(text)).toBe(expected))

test.each([
  ['session 3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'session (id)'],
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '(id)'],
  ['commit 8fb62193342cf8ad8c40aa06fdf9f92641b5c855', 'commit (id)'],
  ['req_011CSHoEeqs5C35K2UUqR7Fy', '(id)'],
  [
    'decade facade 1234567890123456 get_weather_for_city',
    'decade facade 1234567890123456 get_weather_for_city',
  ],
])('ids: %s', (text, expected) => expect(ids(text)).toBe(expected))

test.each([
  ['read /tmp/run-a1/x.txt', 'read (temporary)/x.txt'],
  ['/private/var/folders/ab/cd_12/T/run-a1/x', '(temporary)/x'],
  ['"C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\Temp\\\\run1\\\\x"', '"(temporary)\\\\x"'],
  ['/home/me/tmp', '/home/me/tmp'],
])('temporary paths: %s', (text, expected) => expect(temporaryPaths(text)).toBe(expected))

test('a folder is replaced where it is named, and not where another name begins with it', () => {
  expect(replaceFolder('/a/app/x, /a/app2, /a/app-old and /a/app.', '/a/app', 'W')).toBe(
    'W/x, /a/app2, /a/app-old and W.',
  )
})

test('rules are for texts, wherever they are, and not for names of fields', () => {
  const value = { '2026-11-18': ['2026-11-18', 7, null, { a: 'x 2026-11-18' }] }
  expect(normalized(value, [dates])).toEqual({ '2026-11-18': ['(date)', 7, null, { a: 'x (date)' }] })
})

function wire(content: string): TapedRequest {
  const body = Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }))
  return { method: 'POST', path: '/v1/chat/completions', headers: {}, at: 0, body }
}

function withoutNames(text: string): string {
  return text.replaceAll(/\d/g, '0').replaceAll(/[ab]0/g, '')
}

test('a request is found although what the rules replace is not the same, on both sides', () => {
  const recordings = [{ exchange: 1, call: 1, request: wire('On 2026-01-01 in /tmp/a1') }]
  const asked = wire('On 2026-02-02 in /tmp/b2')
  expect(new Matcher({ recordings }).find(asked)).toHaveProperty('explanation')
  const normalize = [dates, temporaryPaths]
  expect(new Matcher({ recordings }, { normalize }).find(asked)).toMatchObject({ by: 'request' })
  expect(new Matcher({ recordings }, { normalize: withoutNames }).find(asked)).toMatchObject({
    by: 'request',
  })
})
