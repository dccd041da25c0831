import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { NodeResponder } from './node-responder.ts'

const PIECES = ['event: a\n\n', 'größer → 🎉\n\n', 'x'.repeat(2000), Buffer.from('bytes →\n\n'), 'end\n\n']
const TEXT = PIECES.map(String).join('')

/** What a client reads when these pieces are written one after the other, each in a turn of its own. */
async function answerOf(prepare: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => {
    prepare(response)
    const responder = new NodeResponder(response)
    responder.head(200, { 'content-type': 'text/event-stream' })
    const next = (index: number): void => {
      if (index === PIECES.length) responder.end()
      else {
        responder.write(PIECES[index] ?? '')
        setImmediate(next, index + 1)
      }
    }
    next(0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const text = await new Promise<string>((resolve, reject) => {
    request({ host: '127.0.0.1', port, agent: false }, (answer) => {
      answer.setEncoding('utf8')
      let read = ''
      answer.on('data', (piece: string) => (read += piece))
      answer.on('end', () => resolve(read))
      answer.on('error', reject)
    })
      .on('error', reject)
      .end()
  })
  server.close()
  return text
}

test('chunks that are framed here arrive as they were written', async () => {
  expect(await answerOf(() => {})).toBe(TEXT)
})

test('a response whose write somebody has replaced, as compression does, is written through it', async () => {
  const seen: string[] = []
  const text = await answerOf((response) => {
    const write = response.write.bind(response) as (piece: string | Uint8Array) => boolean
    response.write = (piece: string | Uint8Array): boolean => {
      seen.push(Buffer.from(piece as string).toString())
      return write(piece)
    }
  })
  expect(seen).toEqual(PIECES.map(String))
  expect(text).toBe(TEXT)
})

test('a body with a length of its own is not framed', async () => {
  const length = Buffer.byteLength(TEXT)
  expect(await answerOf((response) => response.setHeader('content-length', length))).toBe(TEXT)
})
