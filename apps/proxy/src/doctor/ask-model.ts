import type { Secret } from '@hydra/gateway'
import { bad, type Finding, good, odd } from './finding.ts'

/** Where and under which name a model is asked. */
export interface Asked {
  readonly url: string
  readonly model: string
  readonly key: Secret | undefined
}

const QUESTION = 'Count from 1 to 20, with spaces between the numbers. Say nothing else.'

/** Asks a model something small, and says how the answer came. */
export async function* askModel({ url, model, key }: Asked, name: string): AsyncGenerator<Finding> {
  const begun = performance.now()
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hydra-key': key?.reveal() ?? 'none' },
      body: JSON.stringify({
        model,
        max_tokens: 1024,
        stream: true,
        messages: [{ role: 'user', content: QUESTION }],
      }),
    })
    if (response.ok) yield* judge(await listen(response, begun), name)
    else yield refusal(name, response.status, (await response.json()) as ErrorBody)
  } catch {
    yield bad(`${name}: the answer broke off; see docs/troubleshooting.md`)
  }
}

interface ErrorBody {
  readonly error: { readonly type: string; readonly message: string }
}

function refusal(name: string, status: number, { error }: ErrorBody): Finding {
  return bad(`${name}: ${status} ${error.type}: ${error.message}. ${adviceFor(status)}`)
}

const ADVICE: Readonly<Record<number, string>> = {
  400: 'The provider refuses the request: is --provider right?',
  401: 'Check the key.',
  402: 'Check your account with the provider.',
  403: 'Check the key, and whether it may use this model.',
  404: 'Check --model and --target-url.',
  429: 'The provider limits the rate: wait, or use another model.',
}

function adviceFor(status: number): string {
  return ADVICE[status] ?? 'Is the server running, and is --target-url right?'
}

/** What was heard of an answer. */
interface Heard {
  readonly firstToken: number | undefined
  readonly pieces: number
  readonly text: string
}

async function listen(response: Response, begun: number): Promise<Heard> {
  const decoder = new TextDecoder()
  let firstToken: number | undefined
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.includes('content_block_delta')) firstToken ??= performance.now() - begun
  }
  return { firstToken, pieces: text.split('event: content_block_delta').length - 1, text }
}

function* judge({ firstToken, pieces, text }: Heard, name: string): Generator<Finding> {
  if (!text.includes('event: message_stop')) {
    yield bad(`${name}: the answer broke off: ${errorIn(text)}`)
    return
  }
  if (firstToken === undefined) {
    yield odd(`${name}: it answers, but with no text; see docs/troubleshooting.md`)
    return
  }
  yield good(`${name}: it answers; the first token came after ${(firstToken / 1000).toFixed(2)} s`)
  yield pieces > 1
    ? good(`${name}: it streams, and the answer came to its end`)
    : odd(`${name}: the answer came in one piece; does something in between collect it?`)
}

function errorIn(text: string): string {
  return (
    /"message":"((?:[^"\\]|\\.)*)"/.exec(text.slice(text.lastIndexOf('event: error')))?.[1] ??
    'no reason given'
  )
}
