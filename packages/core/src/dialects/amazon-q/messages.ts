import { isAssistantsOwn, walkTurns } from '../../encode/turns.ts'
import { joined } from '../../encode/words.ts'
import { blocksOf, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, encodeResult } from './content.ts'
import type { Encoding } from './encoding.ts'
import { type StrictTurns, Turns, type UserTurn } from './message-list.ts'
import type { QImage, QToolResult } from './wire.ts'

/** The conversation in strict turns; nothing if it is empty. */
export function encodeMessages(
  request: HubRequest,
  history: readonly HubMessage[],
  encoding: Encoding,
): StrictTurns | undefined {
  const list = new Turns(encoding)
  let lastPath = 'messages'
  const heard = (path: string): string => (lastPath = path)
  walkTurns(request, history, {
    encoding,
    listener: {
      user: (message, path) => list.user(encodeUser(message, heard(path), encoding), path),
      assistant: (message, path) => list.assistant(encodeAssistant(message, heard(path), encoding), path),
      system: (text, path) => list.reminder(text, heard(path)),
    },
  })
  return list.finish(lastPath)
}

function encodeUser(message: HubMessage, path: string, encoding: Encoding): UserTurn {
  const texts: string[] = []
  const images: QImage[] = []
  const results: QToolResult[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') {
      const encoded = encodeResult(block, place, encoding)
      results.push(encoded.result)
      images.push(...encoded.images)
    } else if (!isAssistantsOwn(block, place, encoding)) {
      const piece = encodeBlock(block, place, encoding)
      if ('image' in piece) images.push(piece.image)
      else texts.push(piece.text)
    }
  }
  return { text: joined(texts), images, results }
}
