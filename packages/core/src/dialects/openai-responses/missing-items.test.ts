import { expect, test } from 'vitest'
import { missingItems } from './missing-items.ts'

const call = (
  id: string,
  json = '{}',
): { type: string; call_id: string; name: string; arguments: string } => ({
  type: 'function_call',
  call_id: id,
  name: 'Read',
  arguments: json,
})
const MESSAGE = { type: 'message' }

test.each<[string, object[], object[], object[]]>([
  ['all is told', [MESSAGE, call('a')], [MESSAGE, call('a')], []],
  ['nothing is told', [], [MESSAGE, call('a')], [MESSAGE, call('a')]],
  ['one of two calls is told', [call('a')], [call('a'), call('b')], [call('b')]],
  ['a call is there twice', [call('a')], [call('a'), call('a')], []],
  ['another id', [call('a')], [call('x')], []],
  ['another id, and arguments in other words', [call('a', '{"n":1}')], [call('x', '{"n": 1}')], []],
  ['other ids and one more', [call('a', '1')], [call('x', '2'), call('y', '1')], [call('x', '2')]],
  ['what is no call of the client', [], [{ type: 'mcp_call' }, { type: 'reasoning' }], []],
])('what only the last event has: %s', (_, told, output, missing) => {
  expect(missingItems(output, told as never)).toEqual(missing)
})
