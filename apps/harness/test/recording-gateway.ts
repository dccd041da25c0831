import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createGateway, type GatewayOptions } from '@hydra/gateway'
import { nodeExchange, undiciTransport } from '@hydra/gateway/node'
import { createRedaction, createTapeRecorder } from '@hydra/tape'
import { expect, onTestFinished } from 'vitest'
import { tapeFolders } from '../src/regress/tape-folders.ts'
import { temporaryFolder } from './record-tape.ts'

/** A gateway on a real port that puts everything on tape. */
export interface RecordingGateway {
  readonly url: string
  /** Stops it, and gives the folders of its tapes. */
  stop(): Promise<readonly string[]>
}

/** Starts a gateway whose traffic is recorded. */
export async function startRecordingGateway(options: GatewayOptions): Promise<RecordingGateway> {
  const folder = join(temporaryFolder(), 'tapes')
  const problems: string[] = []
  const recorder = createTapeRecorder({
    folder,
    redaction: createRedaction({}),
    tool: 'hydra/test',
    onProblem: (message) => void problems.push(message),
  })
  const gateway = createGateway({ ...options, traffic: recorder, transport: undiciTransport() })
  const url = await listening((request, response) => {
    void gateway.handle(nodeExchange(request, response, { url: request.url ?? '/', native: request }))
  })
  return {
    url,
    async stop() {
      await gateway.close()
      recorder.close()
      expect(problems).toEqual([])
      return tapeFolders([folder], folder)
    },
  }
}

/** Listens on a loopback port until the test is over; gives the address. */
export async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
