import { expect } from 'vitest'
import { RawConnection } from '../http/raw-connection.ts'

/** By this header Anthropic's clients are known where several dialects have the same path. */
export const ANTHROPIC = { 'anthropic-version': '2023-06-01' }

/** A small request; its parts may be replaced. */
export function messagesRequest(changes: object = {}): Record<string, unknown> {
  return { model: 'claude-test', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...changes }
}

/** Sends JSON with POST. */
export function post(
  url: string,
  value: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(value),
  })
}

/** Asks for a message in one piece. */
export function askWhole(url: string, changes: object = {}): Promise<Response> {
  return post(`${url}/v1/messages`, messagesRequest(changes))
}

/** Asks for a message as a stream. */
export function askStream(url: string, changes: object = {}): Promise<Response> {
  return post(`${url}/v1/messages?beta=true`, messagesRequest({ stream: true, ...changes }))
}

/** Asks for a message on a connection of its own. */
export async function askRaw(url: string, changes: object = {}): Promise<RawConnection> {
  const connection = await RawConnection.open(url)
  connection.send({ url: `${url}/v1/messages`, body: JSON.stringify(messagesRequest(changes)) })
  return connection
}

/** An error in Anthropic's form. */
export interface ErrorBody {
  readonly type: string
  readonly error: { readonly type: string; readonly message: string }
  readonly request_id?: string
}

/** Expects an error in Anthropic's form with a status and a kind. */
export async function expectError(response: Response, status: number, kind: string): Promise<ErrorBody> {
  const text = await response.text()
  expect.soft(response.status, text).toBe(status)
  expect.soft(response.headers.get('content-type')).toMatch(/^application\/json/)
  const body = JSON.parse(text) as ErrorBody
  expect(body).toMatchObject({ type: 'error', error: { type: kind, message: expect.any(String) as string } })
  expect(body.request_id).toBe(response.headers.get('request-id'))
  return body
}
