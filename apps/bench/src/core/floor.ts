/** The least that a translation of a body could do: read it and write it. */
export function copyBody(body: string): number {
  return JSON.stringify(JSON.parse(body)).length
}

/** What the floor of a stream needs to know of a chunk: where its text is. */
interface TextChunk {
  readonly choices: readonly [
    {
      readonly delta: {
        readonly content?: string
        readonly tool_calls?: readonly [{ readonly function: { readonly arguments: string } }]
      }
    },
  ]
}

/** The least that a translation of a stream could do with a text chunk: read it, and write one event for it. */
export function copyText(chunk: string): number {
  const { content: text } = (JSON.parse(chunk) as TextChunk).choices[0].delta
  return JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }).length
}

/** The same for a chunk with a piece of a call's arguments. */
export function copyArguments(chunk: string): number {
  const json = (JSON.parse(chunk) as TextChunk).choices[0].delta.tool_calls?.[0].function.arguments
  const delta = { type: 'input_json_delta', partial_json: json }
  return JSON.stringify({ type: 'content_block_delta', index: 0, delta }).length
}
