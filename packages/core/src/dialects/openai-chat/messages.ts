import { isAssistantsOwn, systemText, walkTurns } from '../../encode/turns.ts'
import { joined } from '../../encode/words.ts'
import { blocksOf, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock } from './content.ts'
import type { Encoding } from './encoding.ts'
import { MessageList } from './message-list.ts'
import { promptedSchema } from './parameters.ts'
import type { ChatMessage, ChatPart } from './wire.ts'

/** The whole conversation in the upstream's form: the system prompt, then turn by turn. */
export function encodeMessages(
  request: HubRequest,
  history: readonly HubMessage[],
  encoding: Encoding,
): ChatMessage[] {
  const list = new MessageList(encoding)
  list.system(joined([systemText(request.system, encoding), promptedSchema(request, encoding)]))
  walkTurns(request, history, {
    encoding,
    listener: {
      user: (message, path) => encodeUser(message, path, list),
      assistant: (message, path) => list.assistant(encodeAssistant(message, path, encoding), path),
      system: (text, path) => list.systemMidway(text, path),
    },
  })
  list.close()
  return list.messages
}

/** First all results, as the upstream wants them directly behind their calls; then everything else in order. */
function encodeUser(message: HubMessage, path: string, list: MessageList): void {
  const parts: ChatPart[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') parts.push(...list.toolResult(block, place))
    else if (!isAssistantsOwn(block, place, list.encoding)) {
      const part = encodeBlock(block, place, list.encoding)
      if (part !== undefined) parts.push(part)
    }
  }
  list.user(parts)
}
