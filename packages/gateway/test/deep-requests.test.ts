import { type DialectName, profiles } from '@hydra/core'
import { expect, test } from 'vitest'
import { WHOLE_ANSWER } from './answers.ts'
import { closing, expectNothingUnhandled } from './eventually.ts'
import { type Proxy, startProxy } from './proxy.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

expectNothingUnhandled()
const opened = closing()

const LISTS = '['.repeat(100_000) + ']'.repeat(100_000)
const OBJECTS = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`

const MESSAGES = '/v1/messages'
const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const GEMINI = '/v1beta/models/m:generateContent'

/** A request with a field of its own; what nests without an end stands where it says DEEP. */
function asking(path: string, field: string): readonly [path: string, body: string] {
  const said = '"messages":[{"role":"user","content":"Hi"}]'
  const start = {
    [MESSAGES]: `"model":"m","max_tokens":1,${said}`,
    [CHAT]: `"model":"m",${said}`,
    [RESPONSES]: '"model":"m","input":"Hi"',
    [GEMINI]: '"contents":[{"parts":[{"text":"Hi"}]}]',
  }[path]
  return [path, `{${start ?? ''},${field}}`]
}

const TEXT_WITH_MORE = '"messages":[{"role":"user","content":[{"type":"text","text":"a","x":DEEP}]}]'

/** Every field of a request that somebody goes through to its depth. */
const BODIES: readonly (readonly [path: string, body: string])[] = [
  asking(MESSAGES, '"tools":DEEP'),
  asking(MESSAGES, '"tools":[{"name":"a","input_schema":{"x":DEEP}}]'),
  asking(MESSAGES, '"tools":[{"type":"web_search_20250305","name":"a","x":DEEP}]'),
  asking(MESSAGES, '"unknown":DEEP'),
  asking(MESSAGES, '"metadata":DEEP'),
  asking(MESSAGES, TEXT_WITH_MORE),
  [MESSAGES, 'DEEP'],
  asking(CHAT, '"tools":DEEP'),
  asking(CHAT, '"tools":[{"type":"function","function":{"name":"a","parameters":DEEP}}]'),
  asking(CHAT, '"metadata":DEEP'),
  asking(CHAT, '"messages":[{"role":"user","content":DEEP}]'),
  asking(RESPONSES, '"tools":DEEP'),
  asking(RESPONSES, '"tools":[{"type":"function","name":"a","parameters":{"x":DEEP}}]'),
  asking(RESPONSES, '"input":DEEP'),
  asking(RESPONSES, '"text":{"format":{"type":"json_schema","name":"a","schema":DEEP}}'),
  asking(GEMINI, '"tools":DEEP'),
  asking(GEMINI, '"tools":[{"functionDeclarations":[{"name":"a","parametersJsonSchema":{"x":DEEP}}]}]'),
  asking(GEMINI, '"contents":DEEP'),
]

const UPSTREAMS: readonly (readonly [DialectName, keyof typeof profiles])[] = [
  ['openai-chat', 'generic'],
  ['anthropic', 'anthropic'],
  ['openai-responses', 'openai'],
]

function send({ url }: Proxy, path: string, body: string): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

test.each(UPSTREAMS)('no depth of a request overflows the stack: %s', async (dialect, profile) => {
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const up = { dialect, url: upstream.url, profile: profiles[profile] }
  const proxy = await opened(startProxy({ upstreams: { up }, loopGuard: { mode: 'warn' }, traces: true }))
  for (const [path, body] of BODIES) {
    for (const deep of [LISTS, OBJECTS]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const answer = await send(proxy, path, body.replace('DEEP', deep))
      // oxlint-disable-next-line no-await-in-loop
      expect(await answer.text(), `${path} ${body}`).not.toContain('call stack')
    }
  }
})

test.each([
  asking(MESSAGES, '"tools":[{"type":"web_search_20250305","name":"a","x":DEEP}]'),
  asking(CHAT, '"tools":[{"type":"function","function":{"name":"a","parameters":{"x":DEEP}}}]'),
  asking(RESPONSES, '"tools":[{"type":"function","name":"a","parameters":{"x":DEEP}}]'),
])('a request that nests too deep is told where: %s', async (path, body) => {
  const up = { dialect: 'anthropic', url: 'http://127.0.0.1:9', profile: profiles.anthropic } as const
  const proxy = await opened(startProxy({ upstreams: { up } }))
  const answer = await send(proxy, path, body.replace('DEEP', LISTS))
  const told = expect.stringMatching(/tools\[0\].*expected at most 512 levels/) as string
  expect([answer.status, await answer.text()]).toEqual([400, told])
})
