import { blocksOf, type HubMessage, type HubRequest } from '@hydra/core'

/** A part of a message as the conventions write it. */
export type ContentPart = Readonly<Record<string, unknown>> & { readonly type: string }

/** The words of a request as attributes, each a text of JSON. */
export function requestContent({ system, messages, tools }: HubRequest): Record<string, string> {
  return {
    'gen_ai.input.messages': JSON.stringify(messages.map(messageOf)),
    ...(system !== undefined && { 'gen_ai.system_instructions': JSON.stringify(instructionsOf(system)) }),
    ...(tools !== undefined && { 'gen_ai.tool.definitions': JSON.stringify(tools) }),
  }
}

function instructionsOf(system: NonNullable<HubRequest['system']>): readonly ContentPart[] {
  const texts = typeof system === 'string' ? [system] : system.map(({ text }) => text)
  return texts.map((content) => ({ type: 'text', content }))
}

function messageOf(message: HubMessage): { role: string; parts: readonly ContentPart[] } {
  return { role: message.role, parts: blocksOf(message).map(partOf) }
}

/** A block of the hub; what the conventions have no form for keeps its own type, without its bytes. */
function partOf(block: ReturnType<typeof blocksOf>[number]): ContentPart {
  switch (block.type) {
    case 'text':
      return { type: 'text', content: block.text }
    case 'thinking':
      return { type: 'reasoning', content: block.thinking }
    case 'tool_use':
      return { type: 'tool_call', id: block.id, name: block.name, arguments: block.input }
    case 'tool_result':
      return { type: 'tool_call_response', id: block.tool_use_id, response: block.content }
    default:
      return { type: block.type }
  }
}
