import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { profiles } from '@hydra/core'
import { createGateway } from '@hydra/gateway'
import { createRedaction, createTapeRecorder } from '@hydra/tape'
import { expect, onTestFinished, test } from 'vitest'
import {
  bodyOf,
  endEvent,
  textEvent,
  thinkingEvent,
  wholeCall,
} from '../../../packages/core/test/amazon-q/frames.ts'
import { chaos } from '../src/chaos/chaos.ts'
import { describeChaos } from '../src/chaos/describe-chaos.ts'
import { namedCases } from '../src/chaos/named-cases.ts'
import { openTape } from '../src/cli/open-tape.ts'
import { describeResult } from '../src/regress/describe-result.ts'
import { regress } from '../src/regress/regress.ts'
import { tapeFolders } from '../src/regress/tape-folders.ts'
import { temporaryFolder } from './record-tape.ts'

const ANSWER = bodyOf(
  thinkingEvent('Hm.'),
  textEvent('Let me '),
  textEvent('look.'),
  ...wholeCall('t1', { path: 'ü' }),
  endEvent('TOOL_USE'),
)

/** A service that gives everybody the same answer in frames. */
async function startService(): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end(ANSWER)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Records two requests, one of them streamed, and gives the folder of the tape. */
async function record(url: string): Promise<string> {
  const folder = join(temporaryFolder(), 'tapes')
  const problems: string[] = []
  const onProblem = (message: string): void => void problems.push(message)
  const recorder = createTapeRecorder({
    folder,
    redaction: createRedaction({}),
    tool: 'hydra/test',
    onProblem,
  })
  const gateway = createGateway({
    upstreams: { q: { dialect: 'amazon-q', url, profile: profiles['amazon-q'] } },
    routes: [{ name: 'all', upstream: 'q', model: 'some-model' }],
    traffic: recorder,
  })
  for (const stream of [true, false]) {
    const body = JSON.stringify({
      model: 'm',
      max_tokens: 9,
      stream,
      messages: [{ role: 'user', content: 'Hi' }],
    })
    const headers = { 'content-type': 'application/json' }
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const response = await gateway.fetch(
      new Request('http://x/v1/messages', { method: 'POST', headers, body }),
    )
    // oxlint-disable-next-line no-await-in-loop
    expect(await response.text()).toContain('look.')
  }
  await gateway.close()
  recorder.close()
  expect(problems).toEqual([])
  return tapeFolders([folder], folder)[0] ?? ''
}

test('an exchange in strict turns and frames is replayed as it was, and nothing breaks it', async () => {
  const folder = await record(await startService())
  const written = await regress([folder], { update: true })
  expect(written.ok, describeResult(written)).toBe(true)
  expect(describeResult(written)).not.toContain('when it was recorded')
  const again = await regress([folder], { through: ['core', 'hono'] })
  expect(again.ok, describeResult(again)).toBe(true)
  const options = { seed: 7, cases: namedCases('all'), runs: 50, sockets: 0, limit: 100 }
  const broken = await chaos(openTape(folder), options)
  expect(broken.ok, describeChaos(broken, { seed: 7 })).toBe(true)
})
