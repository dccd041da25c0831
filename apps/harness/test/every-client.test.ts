import { registry } from '@hydra/core'
import { readTape } from '@hydra/tape'
import { expect, test } from 'vitest'
import { explainFile } from '../../proxy/src/explain/explain.ts'
import { printSession } from '../src/show/print-session.ts'
import { summarizeSession } from '@hydra/inspector/summary'
import { startAnyUpstream, weatherModel } from './any-upstream.ts'
import { startRecordingGateway } from './recording-gateway.ts'
import { SDK_SESSIONS } from './sdk-clients.ts'
import { expectWorksOnTape } from './works-on-tape.ts'

const UPSTREAMS = registry.all.filter(
  ({ client, upstream }) => client !== undefined && upstream !== undefined,
)
const PAIRS = [...SDK_SESSIONS].flatMap(([client, session]) =>
  UPSTREAMS.map(({ name }) => ({ client, session, upstream: name })),
)

test.for(PAIRS)(
  'a session of an SDK that speaks $client with an upstream of $upstream is replayed, broken, shown and explained',
  { timeout: 60_000 },
  async ({ client, session, upstream }) => {
    const url = await startAnyUpstream(upstream, weatherModel)
    const { defaultProfile: profile } = registry.upstream(upstream)
    const gateway = await startRecordingGateway({
      upstreams: { up: { dialect: upstream, url, profile } },
      routes: [{ name: 'all', upstream: 'up', model: 'big' }],
    })
    expect(await session(gateway.url)).toEqual(['Sunny, 21 degrees.', 'Sunny, 21 degrees.'])
    const [folder = ''] = await gateway.stop()
    const { exchanges } = readTape(folder)
    expect(exchanges.map(({ request }) => request?.dialect)).toEqual([client, client, client])
    expect(exchanges.map(({ calls }) => calls[0]?.via?.dialect)).toEqual([upstream, upstream, upstream])
    await expectWorksOnTape(folder)

    const shown = printSession(summarizeSession(readTape(folder)))
    for (const words of [
      'How is the weather in Paris?',
      'Let me look: ü.',
      'weather',
      'sun, 21',
      'Sunny, 21 degrees.',
    ]) {
      expect(shown).toContain(words)
    }
    expect(shown).not.toContain('TROUBLE')

    const explanation = await explainFile({ file: folder, json: false })
    expect(explanation.dialect).toBe(upstream)
    const blocks = explanation.input.flatMap((message) => message.blocks)
    expect(blocks.map(({ type, fate }) => [type, fate])).toEqual([
      ['text', 'arrived'],
      ['text', 'arrived'],
      ['tool_use', 'arrived'],
      ['tool_result', 'arrived'],
    ])
  },
)

test.for([...SDK_SESSIONS])(
  'a session of an SDK that speaks %s and is passed on to its own upstream is replayed and broken',
  { timeout: 60_000 },
  async ([client, session]) => {
    const url = await startAnyUpstream(client, weatherModel)
    const { defaultProfile: profile } = registry.upstream(client)
    const gateway = await startRecordingGateway({
      upstreams: { up: { dialect: client, url, profile } },
      routes: [{ name: 'all', upstream: 'up', passthrough: true }],
    })
    expect(await session(gateway.url)).toEqual(['Sunny, 21 degrees.', 'Sunny, 21 degrees.'])
    const [folder = ''] = await gateway.stop()
    expect(readTape(folder).exchanges.map(({ calls }) => calls[0]?.via?.passthrough)).toEqual([
      true,
      true,
      true,
    ])
    await expectWorksOnTape(folder)
  },
)
