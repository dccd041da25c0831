import { expect, test } from 'vitest'
import { cleanWords } from './upstream-words.ts'

test.each([
  ['a key', 'wrong key sk-proj-abcdef0123456789 given', 'wrong key sk-*** given'],
  ['a bearer token', 'got "Bearer abc.DEF-123456" there', 'got "Bearer ***" there'],
  ['a Google key', 'key AIzaSyA1234567890abcdefghijklmn is bad', 'key AIza*** is bad'],
  ['a Groq key', 'gsk_abcdefghijkl123', 'gsk_***'],
  ['a key in an address', 'https://host/v1?key=abcdefgh&x=1', 'https://host/v1?key=***&x=1'],
  ['a home directory', 'cannot open /home/ann/models/x.gguf: gone', 'cannot open [path] gone'],
  ['a Mac directory', "in '/Users/ann/x.py' line 3", "in '[path]' line 3"],
  ['a Windows path', 'cannot open C:\\Users\\Ann Lee\\x.gguf now', 'cannot open [path] now'],
  ['a stack', 'boom\n    at f (file.js:1:2)\n    at g (file.js:3:4)', 'boom'],
  [
    'a traceback',
    'Traceback (most recent call last):\n  File "/srv/a.py", line 1\nValueError: no',
    'ValueError: no',
  ],
  [
    'an HTML page',
    '<html><head><title>502 Bad Gateway</title></head><body>x</body></html>',
    '502 Bad Gateway',
  ],
  [
    'HTML without a title',
    '<!DOCTYPE html><body><h1>Oh &amp; no</h1><p>it  broke</p></body>',
    'Oh & no it broke',
  ],
])('%s does not reach the client', (_name, text, clean) => {
  expect(cleanWords(text)).toBe(clean)
})

test.each([
  'Incorrect API key provided: sk-ab***********wxyz.',
  'Provide a Bearer authentication header',
  'POST https://api.example.com/home/users/v1 failed, see /v1/chat/completions',
  'a < b and task-management-system',
])('harmless words stay: %s', (text) => {
  expect(cleanWords(text)).toBe(text)
})

test('a long message is cut, never inside a character', () => {
  const cut = cleanWords(`${'x'.repeat(1998)}😀${'y'.repeat(100)}`)
  expect(cut).toBe(`${'x'.repeat(1998)}…`)
  expect(cut.isWellFormed()).toBe(true)
})
