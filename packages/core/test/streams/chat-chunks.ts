/** One server-sent event with data. */
export function event(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
}

/** A chunk with one choice. */
export function chunk(choice: object, beside: object = {}): string {
  return event({ id: 'chatcmpl-1', choices: [{ index: 0, ...choice }], ...beside })
}

/** A chunk with a delta and no finish. */
export function delta(fields: object): string {
  return chunk({ delta: fields, finish_reason: null })
}

/** A chunk with text. */
export function text(content: string): string {
  return delta({ content })
}

/** A chunk with elements of `tool_calls`. */
export function calls(...pieces: readonly object[]): string {
  return delta({ tool_calls: pieces })
}

/** The beginning of a call, or a whole one. */
export function call(index: number, id: string, name: string, json: string): object {
  return { index, id, type: 'function', function: { name, arguments: json } }
}

/** A piece of the arguments of a call. */
export function more(index: number, json: string): object {
  return { index, function: { arguments: json } }
}

/** A chunk with nothing but a finish. */
export function finish(reason: string, beside: object = {}): string {
  return chunk({ delta: {}, finish_reason: reason }, beside)
}

/** A usage of two counts. */
export function usage(prompt: number, completion: number, details: object = {}): object {
  return { usage: { prompt_tokens: prompt, completion_tokens: completion, ...details } }
}

/** What ends a stream. */
export const DONE = 'data: [DONE]\n\n'
