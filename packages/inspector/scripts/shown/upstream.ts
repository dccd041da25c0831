import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Turn, TURNS } from './turns.ts'

interface ChatRequest {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
}

/** A server that speaks Chat Completions and says what the script says. */
export async function startShownUpstream(): Promise<{ readonly url: string; close(): void }> {
  const refused = new Set<Turn>()
  const server = createServer(async (request, response) => {
    const asked = (await json(request)) as ChatRequest
    const turn = turnFor(asked)
    if (turn === undefined) return
    if (turn.isRefused === true && !refused.has(turn)) {
      refused.add(turn)
      return refuse(response)
    }
    await say(response, turn, JSON.stringify(asked).length)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The next turn of the script that begins with what was typed; no turn where nobody answers. */
function turnFor({ messages }: ChatRequest): Turn | undefined {
  const said = JSON.stringify(messages.filter(({ role }) => role === 'user'))
  const turns = Object.entries(TURNS).find(([typed]) =>
    said.includes(JSON.stringify(typed).slice(1, -1)),
  )?.[1]
  return turns?.[messages.filter(({ role }) => role === 'tool').length]
}

function refuse(response: ServerResponse): void {
  response.writeHead(503, { 'content-type': 'application/json' })
  response.end(
    '{"error":{"message":"The engine is overloaded, please try again later","type":"server_error"}}',
  )
}

async function say(response: ServerResponse, turn: Turn, length: number): Promise<void> {
  const { thinking, text, call, cached, pace = 12 } = turn
  const send = (fields: object): void =>
    void response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`)
  const tell = (delta: object, reason: string | null = null): void =>
    send({ choices: [{ index: 0, delta, finish_reason: reason }] })
  await sleep(120)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  tell({ role: 'assistant', content: '' })
  if (thinking !== undefined) tell({ reasoning_content: thinking })
  for (const word of text.split(/(?<= )/)) {
    tell({ content: word })
    // oxlint-disable-next-line no-await-in-loop -- one word after the other
    await sleep(pace)
  }
  if (call !== undefined) {
    const called = { name: call.name, arguments: JSON.stringify(call.input) }
    tell({ tool_calls: [{ index: 0, id: `call_${length}`, type: 'function', function: called }] })
  }
  tell({}, call === undefined ? 'stop' : 'tool_calls')
  const prompt = Math.round(length / 4)
  const reasoning = Math.round((thinking ?? '').length / 4)
  const spoken = Math.round((text + JSON.stringify(call ?? '')).length / 4)
  send({
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: spoken + reasoning,
      prompt_tokens_details: { cached_tokens: Math.round(prompt * cached) },
      completion_tokens_details: { reasoning_tokens: reasoning },
    },
  })
  response.end('data: [DONE]\n\n')
}
