import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { testedProgram } from '@hydra/release/tested-program'
import { expect, test } from 'vitest'
import { statusLine } from '../src/statusline/statusline.ts'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { type Hydra, startHydra, type Variables } from './hydra.ts'
import { configFile } from './temporary.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

async function start(...flags: string[]): Promise<Hydra> {
  const upstream = await opened(startUpstream(answer({ text: 'Here.' })))
  const config = configFile(
    JSON.stringify({
      upstreams: { mine: { url: upstream.url }, cheap: { url: upstream.url } },
      routes: [
        { match: { models: ['claude-haiku'] }, upstream: 'cheap', model: 'small' },
        { upstream: 'mine', model: 'gpt-x', fallbacks: [{ upstream: 'cheap', model: 'small' }] },
      ],
      models: ['claude-opus', 'claude-haiku'],
      // 200 plain tokens at a cent each; those of the other upstream have no price.
      prices: { mine: { '*': { input: 10_000, cacheRead: 0, output: 0 } } },
    }),
  )
  return opened(startHydra(['--config', config, '--log', 'json', ...flags]))
}

async function ask(hydra: Hydra, model: string, headers: Variables = {}): Promise<void> {
  const response = await fetch(`${hydra.url}/v1/messages`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-claude-code-session-id': 'session-1',
      'x-api-key': 'k',
      connection: 'close',
      ...headers,
    },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
}

/** What Claude Code would show. */
function shown(env: Variables, session: string = 'session-1'): Promise<string> {
  return statusLine({ session, model: 'Opus' }, env)
}

test('the command reads what Claude Code says of itself', async () => {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [testedProgram('hydra'), 'statusline'], {
    env: { PATH, NODE_COMPILE_CACHE },
  })
  child.stdin.end(JSON.stringify({ session_id: 's', model: { id: 'claude-opus', display_name: 'Opus' } }))
  expect(await text(child.stdout)).toBe('Opus (ANTHROPIC_BASE_URL is not set)\n')
})

test('the status line says who really answered, and what the session cost', async () => {
  const hydra = await start()
  const env = { ANTHROPIC_BASE_URL: hydra.url }
  expect(await shown(env)).toBe('Opus (no answer yet)')
  await ask(hydra, 'claude-opus')
  await ask(hydra, 'claude-opus')
  expect(await shown(env)).toBe('Opus → mine gpt-x  $4.00')
  await ask(hydra, 'claude-haiku')
  expect(await shown(env)).toBe('Opus → cheap small  $4.00 and 1 of unknown cost')
  expect(await shown(env, 'another')).toBe('Opus (no answer yet)')
})

test('a teammate costs, and is not whom the user talks to', async () => {
  const hydra = await start()
  await ask(hydra, 'claude-opus')
  await ask(hydra, 'claude-haiku', { 'x-claude-code-agent-id': 'a1' })
  expect(await shown({ ANTHROPIC_BASE_URL: hydra.url })).toBe(
    'Opus → mine gpt-x  $2.00 and 1 of unknown cost',
  )
})

test('with several processes the sums are of all, and with a key it is asked for', async () => {
  const hydra = await start('--workers', '2', '--key', 'k')
  for (let count = 0; count < 4; count += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await ask(hydra, 'claude-opus')
  }
  const env = { ANTHROPIC_BASE_URL: hydra.url }
  expect(await shown({ ...env, ANTHROPIC_AUTH_TOKEN: 'k' })).toBe('Opus → mine gpt-x  $8.00')
  expect(await shown({ ...env, ANTHROPIC_CUSTOM_HEADERS: 'a: b\nx-hydra-key: k' })).toBe(
    'Opus → mine gpt-x  $8.00',
  )
  expect(await shown(env)).toBe('Opus (the proxy says 401)')
})

test('without a proxy it says so', async () => {
  expect(await shown({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' })).toBe('Opus (no proxy)')
})

test('the list of models says who answers, where Claude Code shows it', async () => {
  const hydra = await start()
  const headers = { 'anthropic-version': '2023-06-01' }
  const { data } = (await (await fetch(`${hydra.url}/v1/models`, { headers })).json()) as { data: object[] }
  expect(data).toMatchObject([
    { id: 'claude-opus', description: 'answered by mine gpt-x, then cheap small' },
    { id: 'claude-haiku', description: 'answered by cheap small' },
  ])
  await eventually(() => hydra.output().includes('listening'), 'the log')
})
