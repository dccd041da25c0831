import { blocksOf, estimateTokens, type HubBlock, type HubRequest, type HubResultContent } from '@hydra/core'

/** About what the largest image costs that providers do not scale down, and a page of a PDF with its picture. */
const TOKENS_PER_IMAGE = 1600
const TOKENS_PER_PAGE = 2000
const BASE64_CHARACTERS_PER_PAGE = 65_000

type Block = HubBlock | HubResultContent

/**
 * About how many tokens a prompt has: by the length of its request, but what is in base64 costs less than that, and
 * what it refers back to stands in its messages only.
 */
export function promptTokens({ messages }: Pick<HubRequest, 'messages'>, length: number): number {
  const sums: Sums = { savings: 0, text: 0 }
  for (const message of messages) add(blocksOf(message), sums)
  return Math.max(0, estimateTokens(length) - sums.savings, estimateTokens(sums.text))
}

/** By how much the length of a request says too much, and how long the texts are that it has in any case. */
interface Sums {
  savings: number
  text: number
}

function add(blocks: readonly Block[], sums: Sums): void {
  for (const block of blocks) {
    if (block.type === 'text') sums.text += block.text.length
    if (block.type === 'tool_result') addResult(block.content, sums)
    if (block.type !== 'image' && block.type !== 'document') continue
    const { source } = block
    if (source.type === 'base64') sums.savings += savingsOf(source.data.length, block.type)
  }
}

function addResult(content: string | readonly Block[] | undefined, sums: Sums): void {
  if (typeof content === 'string') sums.text += content.length
  else if (content !== undefined) add(content, sums)
}

function savingsOf(length: number, type: 'image' | 'document'): number {
  const pages = Math.ceil(length / BASE64_CHARACTERS_PER_PAGE)
  const tokens = type === 'image' ? TOKENS_PER_IMAGE : pages * TOKENS_PER_PAGE
  return Math.max(0, estimateTokens(length) - tokens)
}
