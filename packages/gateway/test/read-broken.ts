/** What came of an answer. */
interface Read {
  readonly text: string
  /** Its body ended as HTTP says. */
  readonly isWhole: boolean
}

/** Reads a body as far as it goes. */
export async function readBroken({ body }: Response): Promise<Read> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const piece of body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true })
    return { text, isWhole: true }
  } catch {
    return { text, isWhole: false }
  }
}
