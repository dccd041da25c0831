import type {
  ContentBlock,
  Message,
  MessageStreamEvent,
  RawMessageStreamEvent,
  StopReason,
  Usage,
} from '@anthropic-ai/sdk/resources/messages/messages'
import { expectTypeOf, test } from 'vitest'
import type { HubContentBlock, HubResponse, HubStop, HubStreamEvent, HubUsage } from '../../src/index.ts'
import { blankBlock, blankMessage } from '../../src/hub/blank.ts'
import { stopFor } from '../../src/hub/message.ts'
import { usageOf } from '../../src/hub/usage.ts'

// These are checked by the compiler: an SDK with another required field breaks the build and not a client.

test('what we send is what the SDK says it reads', () => {
  expectTypeOf<HubStreamEvent>().toEqualTypeOf<RawMessageStreamEvent>()
  expectTypeOf<HubStreamEvent>().toExtend<MessageStreamEvent>()
  expectTypeOf<HubResponse>().toEqualTypeOf<Message>()
  expectTypeOf<HubContentBlock>().toEqualTypeOf<ContentBlock>()
  expectTypeOf<HubUsage>().toEqualTypeOf<Usage>()
  expectTypeOf<HubStop['stop_reason']>().toEqualTypeOf<StopReason | null>()
})

test('what we build has every field that the SDK requires', () => {
  const usage = usageOf({}) satisfies Usage
  const message = blankMessage({ id: 'msg_1', model: 'm', usage }) satisfies Message
  const text = blankBlock({ type: 'text' }) satisfies ContentBlock
  const stop = stopFor('end_turn')
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: text },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { ...stop, container: null }, usage },
    { type: 'message_stop' },
  ] satisfies RawMessageStreamEvent[]
  expectTypeOf(events).toExtend<RawMessageStreamEvent[]>()
})
