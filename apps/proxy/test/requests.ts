/** The body of a small request. */
export function messagesBody(fields: object = {}): string {
  return JSON.stringify({
    model: 'claude-x',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
  })
}

/** Sends a small request the usual way. */
export function post(
  { url }: { readonly url: string },
  fields: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    body: messagesBody(fields),
    headers: { 'content-type': 'application/json', ...headers },
  })
}
