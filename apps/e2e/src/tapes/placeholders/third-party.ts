import { isRecord } from '@hydra/tape'

/** Texts in the requests of a client that somebody else wrote. */
export interface ThirdParty {
  /** Replaced wherever they occur. */
  readonly texts: Set<string>
  /** Replaced only where tools are described: many are too short to be looked for elsewhere. */
  readonly descriptions: Set<string>
}

/** Whether a line of a conversation is ours: what the session was asked, or what its tools have printed. */
export type IsOwn = (line: string) => boolean

/** A shorter line says nothing that belongs to anybody. */
const SHORTEST_TEXT = 16

/** Tags tell a reader and a translator what is what; they stay, and so do line ends. */
const BETWEEN_LINES = /<\/?[\w-]+>|\n/

const BILLING = 'x-anthropic-billing-header:'

/** Collects what the client's maker wrote in the body of a request: prompts, reminders, descriptions of tools. */
export function collectThirdParty(body: unknown, isOwn: IsOwn, found: ThirdParty): void {
  if (!isRecord(body)) return
  for (const text of textsIn(body['system'])) addSystem(text, found)
  for (const message of listOf(body['messages'])) {
    if (!isRecord(message)) continue
    if (message['role'] === 'system') for (const text of textsIn(message['content'])) addSystem(text, found)
    if (message['role'] === 'user') {
      for (const text of textsIn(message['content'])) addLines(text, isOwn, found)
    }
  }
  collectDescriptions(body['tools'], found)
}

/** The billing line is protocol: the translator knows it by its beginning. */
function addSystem(text: string, { texts }: ThirdParty): void {
  const rest = text.startsWith(BILLING) ? text.slice(text.indexOf('\n') + 1 || text.length) : text
  if (rest.trim() !== '') texts.add(rest)
}

function addLines(text: string, isOwn: IsOwn, { texts }: ThirdParty): void {
  if (isOwn(text)) return
  for (const line of text.split(BETWEEN_LINES)) {
    const words = line.trim()
    if (words.length >= SHORTEST_TEXT && !isOwn(words)) texts.add(words)
  }
}

/** The texts of a content: itself, those of its blocks, those of the results in it. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).flatMap((block) => {
    if (!isRecord(block)) return []
    if (typeof block['text'] === 'string') return [block['text']]
    return block['type'] === 'tool_result' ? textsIn(block['content']) : []
  })
}

function collectDescriptions(value: unknown, found: ThirdParty): void {
  if (Array.isArray(value)) for (const item of value) collectDescriptions(item, found)
  if (!isRecord(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') collectDescriptions(inner, found)
    else if (isDescription(name) && inner !== '') found.descriptions.add(inner)
  }
}

/** Whether a member of a tool or a schema is prose. */
export function isDescription(name: string): boolean {
  return name === 'description' || name === 'title'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
