import type { Script } from './upstream.ts'

/** The bytes of an answer such as only Anthropic sends them: comments, unknown events, a character cut in two. */
export const ANTHROPIC_BYTES: Buffer = Buffer.from(
  [
    'event: message_start\ndata: {"type": "message_start", "message": {"id":"msg_1","type":"message","role":"assistant","model":"claude-opus-5","content":[],"stop_reason":null,"usage":{"input_tokens":7,"cache_read_input_tokens":5,"output_tokens":1}}}\n\n',
    ': a comment\n\n',
    'event: brand_new\ndata: {"type":"brand_new","x":1e2}\n\n',
    'event: content_block_start\r\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\r\n\r\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I am Claude 🐉"}}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ].join(''),
)

/** Answers as Anthropic would, cut at a place where it hurts. */
export const asAnthropic: Script = (_seen, response) => {
  const middle = ANTHROPIC_BYTES.indexOf('🐉') + 2
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'request-id': 'req_of_anthropic',
    'anthropic-ratelimit-requests-remaining': '41',
    'set-cookie': 'a=b',
  })
  response.write(ANTHROPIC_BYTES.subarray(0, middle))
  setImmediate(() => response.end(ANTHROPIC_BYTES.subarray(middle)))
}
