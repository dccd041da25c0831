import type { ClientDialect } from '../dialect.ts'
import {
  certainContent,
  certainList,
  certainObject,
  certainSide,
  certainText,
  type Fields,
  RequestOutline,
} from '../request-outline.ts'
import type { RoutedBlock, RoutedMessage, RoutedParts } from '../routed-parts.ts'

/** What routes may look at in a Responses request that is not understood. */
export const routedParts: ClientDialect['routedParts'] = ({ body }) => new ResponsesOutline(body)

class ResponsesOutline extends RequestOutline {
  get system(): RoutedParts['system'] {
    const { instructions } = this.fields
    return instructions === undefined || instructions === null
      ? undefined
      : certainText(instructions, 'instructions')
  }

  get messages(): readonly RoutedMessage[] {
    const { input } = this.fields
    if (input === undefined || input === null) return []
    if (typeof input === 'string') return [{ role: 'user', content: input }]
    return certainList(input, 'input').flatMap((item) => messageOf(certainObject(item, 'input')))
  }
}

const SIDES: ReadonlyMap<unknown, string> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
])

/** A message, or what a tool gave back; other items hold nothing that routes look at. */
function messageOf({ role, type, content, output }: Fields): RoutedMessage[] {
  if (role !== undefined && (type === undefined || type === 'message')) {
    const side = certainSide(role, SIDES, 'input.role')
    return [{ role: side, content: certainContent(content, blockOf) }]
  }
  if (typeof type !== 'string' || !type.endsWith('_output')) return []
  const isKnown = typeof output === 'string' || Array.isArray(output)
  const result = isKnown ? certainContent(output, blockOf) : ''
  return [{ role: 'user', content: [{ type: 'tool_result', content: result }] }]
}

function blockOf({ text }: Fields, type: string): RoutedBlock {
  if (type === 'input_image') return { type: 'image' }
  return typeof text === 'string' ? { type: 'text', text } : { type }
}
