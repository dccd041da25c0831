/** Where a block is in a history. */
export interface BlockPlace {
  readonly messageIndex: number
  readonly blockIndex: number
}

/** The JSON path of a block, as notes and findings name it. */
export function blockPath({ messageIndex, blockIndex }: BlockPlace): string {
  return `messages[${messageIndex}].content[${blockIndex}]`
}
