import { beforeAll, expect, test } from 'vitest'
import { beginStream, refuse, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile } from './temporary.ts'
import { type SeenRequest, startUpstream, type Upstream } from './upstream.ts'

const CANARIES = {
  upstreamKey: 'canary-upstream-key-1a2b3c',
  configKey: 'canary-config-key-4d5e6f',
  clientKey: 'canary-client-key-7g8h9i',
  credentials: 'canary-credentials-0j1k2l',
  prompt: 'canary-prompt-3m4n5o',
}

const opened = closing()
let hostile: Upstream

/** An upstream that quotes the key it was sent wherever it can. */
function quoting(seen: SeenRequest): string {
  const sent = seen.headers.authorization ?? seen.headers['x-api-key'] ?? ''
  return `You sent ${String(sent)}, that is <${String(sent).replace('Bearer ', '')}>\u001b[31m\nforged`
}

beforeAll(async () => {
  hostile = await opened(
    startUpstream((seen, response, number) => {
      if (!seen.body.stream) {
        void refuse(seen.body.model === 'm500' ? 500 : 401, { message: quoting(seen) })(
          seen,
          response,
          number,
        )
        return
      }
      beginStream(response)
      writeChunk(response, { content: 'Some text' })
      response.end(`data: ${JSON.stringify({ error: { message: quoting(seen), code: 500 } })}\n\n`)
    }),
  )
})

const FORMATS: readonly (readonly [string, readonly string[], Record<string, string>])[] = [
  ['pretty', [], {}],
  ['json with traces', ['--log', 'json'], { DEBUG_MESSAGE_CONVERSION: 'true' }],
  ['debug', ['--log', 'debug'], {}],
]

test.each(FORMATS)('no secret and no prompt in the log or in an error: %s', async (_name, args, env) => {
  const config = configFile({
    key: 'env:PROXY_KEY',
    upstreams: {
      configured: { url: hostile.url, key: 'env:CONFIG_KEY' },
      claude: {
        url: `${hostile.origin}/?key=${CANARIES.configKey}`,
        dialect: 'anthropic',
        profile: 'anthropic',
      },
    },
    routes: [
      { name: 'pass', match: { models: ['pass'] }, upstream: 'claude', passthrough: true },
      { match: { models: ['configured'] }, upstream: 'configured', model: 'm401' },
    ],
    retries: { times: 0 },
  })
  const hydra = await opened(
    startHydra(['--config', config, ...args], {
      ...env,
      PROXY_KEY: CANARIES.clientKey,
      CONFIG_KEY: CANARIES.configKey,
    }),
  )
  const typed = await opened(
    startHydra(['--target-url', hostile.url, '--model', 'm500', '--key', CANARIES.clientKey, ...args], {
      ...env,
      OPENAI_API_KEY: CANARIES.upstreamKey,
    }),
  )
  const asked = { messages: [{ role: 'user', content: CANARIES.prompt }] }
  const known = { 'x-hydra-key': CANARIES.clientKey, 'x-api-key': CANARIES.credentials }
  const wrong = { authorization: `Bearer ${CANARIES.credentials}` }
  const answers = [
    await post(hydra, { ...asked, model: 'configured' }, known),
    await post(hydra, { ...asked, model: 'configured', stream: true }, known),
    await post(hydra, { ...asked, model: 'configured', max_tokens: 'x' }, known),
    await post(hydra, { ...asked, model: 'nowhere' }, known),
    await post(hydra, asked, wrong),
    await post(typed, asked, known),
    await post(typed, { ...asked, stream: true }, known),
    await post(typed, { ...asked, messages: CANARIES.prompt }, known),
  ]
  const bodies = (await Promise.all(answers.map((answer) => answer.text()))).join('\n')
  // What passes is Anthropic's own answer to the client's own credentials.
  await (await post(hydra, { ...asked, model: 'pass' }, known)).text()
  await eventually(() => lines(hydra.output()) >= 6 && lines(typed.output()) >= 3, 'all lines of the log')
  for (const process of [hydra, typed]) process.signal('SIGTERM')
  await Promise.all([hydra.ended, typed.ended])
  const output = hydra.output() + typed.output()
  expect(bodies.match(/You sent/g)).toHaveLength(4)
  // The log tells of the one that passed as well, and of tries that were made again.
  const ends = output.split('\n').filter((line) => !/ {2}retry in |"msg":"retry"/.test(line))
  expect(ends.join('\n').match(/You sent/g)).toHaveLength(5)
  expect(output.match(/You sent/g)?.length).toBeGreaterThan(5)
  for (const canary of Object.values(CANARIES)) {
    expect(output).not.toContain(canary)
    expect(bodies).not.toContain(canary)
  }
  expect(output).not.toContain('\u001b')
  expect(output).not.toMatch(/^forged/m)
})

/** How many lines tell of an exchange. */
function lines(output: string): number {
  return output.match(/^(?:\d\d:\d\d:\d\d |\{.*"msg":"exchange")/gm)?.length ?? 0
}

test('JSON lines are JSON from the first to the last, and tell what the others tell', async () => {
  const hydra = await opened(startHydra(['--log', 'json'], { DEBUG_MESSAGE_CONVERSION: 'true' }))
  await (await post(hydra, {}, { 'user-agent': 'test/1', 'x-claude-code-session-id': 's1' })).text()
  await eventually(() => hydra.output().includes('"msg":"exchange"'), 'the line')
  hydra.signal('SIGTERM')
  const { stdout, stderr } = await hydra.ended
  const parsed = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(stderr).toBe('')
  expect(parsed.map(({ msg }) => msg)).toEqual(['listening', 'exchange', 'draining'])
  expect(parsed[0]).toMatchObject({ url: hydra.url, demo: true, workers: 1 })
  expect(parsed[1]).toMatchObject({
    level: 30,
    agent: { kind: 'client', name: 'test/1', session: 's1' },
    route: 'demo',
    clientModel: 'claude-x',
    upstreamModel: 'demo',
    status: 200,
    outcome: 'answered',
    toolCalls: 0,
    firstByte: expect.any(Number) as number,
    duration: expect.any(Number) as number,
    trace: { input: [{ index: 0, role: 'user', blocks: { text: 1 } }] },
  })
})
