import { isAssistantsOwn, systemTexts, walkTurns } from '../../encode/turns.ts'
import { blocksOf, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, textPart } from './content.ts'
import type { Encoding } from './encoding.ts'
import { MessageList } from './message-list.ts'
import type { GeminiContent, GeminiPart } from './wire.ts'

/** The turns of a conversation as contents. */
export function encodeMessages(
  request: HubRequest,
  history: readonly HubMessage[],
  encoding: Encoding,
): GeminiContent[] {
  const list = new MessageList(encoding)
  walkTurns(request, history, {
    encoding,
    listener: {
      user: (message, path) => encodeUser(message, path, list),
      assistant: (message, path) => {
        for (const block of blocksOf(message))
          if (block.type === 'tool_use') list.called(block.id, block.name)
        list.model(encodeAssistant(message, path, encoding), path)
      },
      system: (text, path) => list.systemMidway(text, path),
    },
  })
  list.close()
  return list.contents
}

/** First all responses, as the upstream wants them directly behind their calls; then everything else in order. */
function encodeUser(message: HubMessage, path: string, list: MessageList): void {
  const responses: GeminiPart[] = []
  const parts: GeminiPart[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') {
      const { part, after } = list.response(block, place)
      responses.push(part)
      parts.push(...after)
    } else if (!isAssistantsOwn(block, place, list.encoding)) {
      parts.push(...encodeBlock(block, place, list.encoding))
    }
  }
  list.user([...responses, ...parts])
}

/** The system prompt, a part per block. */
export function encodeSystem({ system }: HubRequest, encoding: Encoding): GeminiPart[] {
  return systemTexts(system, encoding)
    .filter((text) => text !== '')
    .map(textPart)
}
