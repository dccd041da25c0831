import { type HubBlock, type HubRequest, type HubTextBlock, loopReminder, type LoopTrip } from '@hydra/core'

/**
 * The request with a word to the model at its end, behind the results: what was said before stays as it was,
 * so that prompt caches know it. None where the model is to go on with its own words.
 */
export function remind(request: HubRequest, trip: LoopTrip): HubRequest | undefined {
  const last = request.messages.at(-1)
  if (last === undefined || last.role === 'assistant') return undefined
  const reminder: HubTextBlock = { type: 'text', text: loopReminder(trip) }
  if (last.role === 'system') {
    return { ...request, messages: [...request.messages, { role: 'user', content: [reminder] }] }
  }
  const { content } = last
  const said: readonly HubBlock[] = typeof content === 'string' ? textOf(content) : content
  return {
    ...request,
    messages: [...request.messages.slice(0, -1), { ...last, content: [...said, reminder] }],
  }
}

function textOf(text: string): HubTextBlock[] {
  return text === '' ? [] : [{ type: 'text', text }]
}
