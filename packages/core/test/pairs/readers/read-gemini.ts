/** A part of an answer. */
export interface GeminiPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown }
}

/** One `GenerateContentResponse`. */
export interface GeminiAnswer {
  readonly candidates: readonly [
    {
      readonly content: { readonly role: string; readonly parts: readonly GeminiPart[] }
      readonly finishReason?: string
    },
  ]
  readonly usageMetadata?: Readonly<Record<string, number>>
  readonly modelVersion?: string
  readonly responseId?: string
}

/** What a stream says, once its grammar was checked. */
export interface ReadGemini {
  readonly answers: readonly GeminiAnswer[]
  readonly error: { readonly code: number; readonly message: string; readonly status: string } | undefined
}

const END = '\r\n\r\n'

/** Reads a stream as Google's own clients do, which is not as events are read, and throws at what breaks one of them. */
export function readGemini(output: string): ReadGemini {
  demand(!/[\u0085\u2028\u2029]/.test(output), 'a character that some client takes for the end of a line')
  const pieces = output.split(END)
  const tail = pieces.pop() ?? ''
  const values = pieces.map((piece) => {
    demand(/^data: \{[^\r\n]*\}$/.test(piece), `no event: ${piece}`)
    return JSON.parse(piece.slice('data: '.length)) as GeminiAnswer & Pick<ReadGemini, 'error'>
  })
  const last = values.at(-1)
  const error = last?.error
  // Older clients overlook the error in the event, and newer ones take either.
  demand(tail === (error === undefined ? '' : JSON.stringify({ error })), `a stream that goes on: ${tail}`)
  if (error !== undefined) {
    values.pop()
    demand(Number.isInteger(error.code) && error.message !== '' && /^[A-Z_]+$/.test(error.status), tail)
  }
  checkChunks(values, error !== undefined)
  return { answers: values, error }
}

function checkChunks(answers: readonly GeminiAnswer[], hasFailed: boolean): void {
  for (const [index, answer] of answers.entries()) {
    checkAnswer(answer)
    const isLast = index === answers.length - 1
    const isEnd = answer.candidates[0].finishReason !== undefined
    demand(isEnd === (isLast && !hasFailed), `a finish reason in chunk ${index} of ${answers.length}`)
    demand(answer.responseId === answers[0]?.responseId, 'another id on the way')
    // Clients run a call although the stream fails after it.
    const calls = answer.candidates[0].content.parts.some(({ functionCall }) => functionCall !== undefined)
    demand(!calls || isEnd, 'a call before the end')
  }
}

/** Checks what holds for every answer and every piece of one. */
export function checkAnswer({ candidates, modelVersion, responseId }: GeminiAnswer): void {
  demand(candidates.length === 1, 'several candidates')
  demand(Boolean(modelVersion) && Boolean(responseId), 'no model or no id')
  const { role, parts } = candidates[0].content
  demand(role === 'model' && parts.length > 0, 'a chunk without parts empties the history of the SDK')
  for (const { text, functionCall } of parts) {
    demand((text === undefined) !== (functionCall === undefined), 'a part is one thing')
    if (functionCall === undefined) continue
    const { id, name, args } = functionCall
    demand(id !== '' && name !== '', 'a call without id or name')
    demand(typeof args === 'object' && args !== null && !Array.isArray(args), 'arguments that are no object')
  }
}

function demand(isMet: boolean, fault: string): asserts isMet {
  if (!isMet) throw new Error(fault)
}
