import { isAssistantsOwn, systemText, walkTurns } from '../../encode/turns.ts'
import { blocksOf, type HubMessage, type HubRequest } from '../../hub/request.ts'
import { encodeAssistant } from './assistant-turn.ts'
import { encodeBlock, encodeResult, textPart } from './content.ts'
import type { Encoding } from './encoding.ts'
import { promptedSchema } from './parameters.ts'
import type { InputItem, InputPart } from './wire.ts'

/** The system prompt, where the upstream wants it. */
export function encodeInstructions(request: HubRequest, encoding: Encoding): Record<string, unknown> {
  const instructions = systemText(request.system, encoding)
  return instructions === '' ? {} : { instructions }
}

/** The whole conversation as items, turn by turn. */
export function encodeInput(
  request: HubRequest,
  history: readonly HubMessage[],
  encoding: Encoding,
): InputItem[] {
  const items: InputItem[] = []
  const { systemRole: role } = encoding.profile
  walkTurns(request, history, {
    encoding,
    listener: {
      user: (message, path) => items.push(...encodeUser(message, path, encoding)),
      assistant: (message, path) => items.push(...encodeAssistant(message, path, encoding)),
      system: (text) => {
        if (text !== '') items.push({ type: 'message', role, content: [textPart(text)] })
      },
    },
  })
  if (items.length === 0) return items
  const form = promptedSchema(request, encoding)
  return form === '' ? items : [{ type: 'message', role, content: [textPart(form)] }, ...items]
}

/** First all results, as the upstream wants them behind their calls; then everything else in order. */
function encodeUser(message: HubMessage, path: string, encoding: Encoding): InputItem[] {
  const outputs: InputItem[] = []
  const parts: InputPart[] = []
  for (const [index, block] of blocksOf(message).entries()) {
    const place = `${path}.content[${index}]`
    if (block.type === 'tool_result') {
      const call_id = encoding.wireIds.toWire(block.tool_use_id)
      outputs.push({ type: 'function_call_output', call_id, output: encodeResult(block, place, encoding) })
    } else if (!isAssistantsOwn(block, place, encoding)) {
      const part = encodeBlock(block, place, encoding)
      if (part !== undefined) parts.push(part)
    }
  }
  return parts.length === 0 ? outputs : [...outputs, { type: 'message', role: 'user', content: parts }]
}
