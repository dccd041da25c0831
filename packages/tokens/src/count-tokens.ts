import {
  blocksOf,
  type HubBlock,
  type HubRequest,
  type HubResultContent,
  type HubTool,
  nestsTooDeep,
} from '@hydra/core'
import { clearMergeCache } from 'gpt-tokenizer/encoding/o200k_base'
import { TextCounter } from './text-counter.ts'

/** The parts of a request that make its prompt. */
export type Prompt = Pick<HubRequest, 'system' | 'tools' | 'messages'>

type Block = HubBlock | HubResultContent
type Document = Extract<Block, { type: 'document' }>

/** What the role, the name and the markers around each of them cost. */
const TOKENS_PER_MESSAGE = 4
const TOKENS_PER_TOOL = 8
const TOKENS_PER_CALL = 8

/** An image costs width * height / 750 and is scaled down to about this; its size is not known without decoding. */
const TOKENS_PER_IMAGE = 1600

/** A page of a PDF is charged as its text and its picture; how many there are is guessed from the file's size. */
const TOKENS_PER_PAGE = 2000
const BASE64_CHARACTERS_PER_PAGE = 65_000

/** Hidden reasoning is longer in its encrypted form than its own text was. */
const ENCRYPTED_CHARACTERS_PER_TOKEN = 5

/**
 * Estimates the tokens of a prompt: its texts exactly by o200k, images and PDFs by rule of thumb. What comes after the
 * first quarter of a million characters is estimated from samples, to within a few percent.
 */
export function countTokens(prompt: Prompt): number {
  const { system, tools, messages } = prompt
  const texts = new TextCounter()
  let total = typeof system === 'string' ? texts.count(system) : countBlocks(system ?? [], texts)
  for (const tool of tools ?? []) total += TOKENS_PER_TOOL + countTool(tool, texts)
  for (const message of messages) total += TOKENS_PER_MESSAGE + countBlocks(blocksOf(message), texts)
  // The tokenizer remembers words as slices of the texts they came from, which would keep every prompt alive.
  clearMergeCache()
  return Math.round(total)
}

function countTool(tool: HubTool, texts: TextCounter): number {
  if (!('input_schema' in tool)) return countJson(tool, texts)
  return texts.count(tool.name) + texts.count(tool.description ?? '') + countJson(tool.input_schema, texts)
}

function countBlocks(blocks: readonly Block[], texts: TextCounter): number {
  let total = 0
  for (const block of blocks) total += countBlock(block, texts)
  return total
}

function countBlock(block: Block, texts: TextCounter): number {
  if (block.type === 'text') return texts.count(block.text)
  if (block.type === 'thinking') return texts.count(block.thinking)
  if (block.type === 'redacted_thinking') return Math.ceil(block.data.length / ENCRYPTED_CHARACTERS_PER_TOKEN)
  if (block.type === 'image') return TOKENS_PER_IMAGE
  if (block.type === 'document') return countDocument(block, texts)
  if (block.type === 'search_result') {
    return texts.count(block.title) + texts.count(block.source) + countBlocks(block.content, texts)
  }
  return countToolBlock(block, texts)
}

function countToolBlock(block: Block, texts: TextCounter): number {
  if (block.type === 'tool_use' || block.type === 'server_tool_use' || block.type === 'mcp_tool_use') {
    return TOKENS_PER_CALL + texts.count(block.name) + countJson(block.input, texts)
  }
  if (block.type === 'tool_result') return TOKENS_PER_CALL + countContent(block.content ?? '', texts)
  if (block.type === 'tool_reference') return texts.count(block.tool_name)
  return countJson(block, texts)
}

function countContent(content: string | readonly Block[], texts: TextCounter): number {
  return typeof content === 'string' ? texts.count(content) : countBlocks(content, texts)
}

function countDocument({ title, context, source }: Document, texts: TextCounter): number {
  const about = texts.count(title ?? '') + texts.count(context ?? '')
  if (source.type === 'text') return about + texts.count(source.data)
  if (source.type === 'content') return about + countContent(source.content, texts)
  const pages = source.type === 'base64' ? Math.ceil(source.data.length / BASE64_CHARACTERS_PER_PAGE) : 1
  return about + pages * TOKENS_PER_PAGE
}

function countJson(value: unknown, texts: TextCounter): number {
  if (value === undefined || nestsTooDeep(value)) return 0
  return texts.count(JSON.stringify(value))
}
