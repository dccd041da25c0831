import { isJsonObject } from '@hydra/core'

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
const MIN_TEXT_LENGTH = 16

/** Tags tell a reader and a translator what is what; they stay, and so do line ends. */
const BETWEEN_LINES = /<\/?[\w-]+>|\n/

/** Who speaks for the client's maker, in the dialects whose clients are recorded. */
const SYSTEM: ReadonlySet<string> = new Set(['system', 'developer'])

/** What is said by users and tools, with lines of the client's maker among them. */
const SPOKEN: ReadonlySet<string> = new Set(['user', 'tool', 'function_call_output'])

/** What Codex tells of the machine, whose tags may look like the home of a user: `</root>`. */
const SURROUNDINGS = '<environment_context>'

/** Codex's name of its first agent, which is also the home of a user. */
const FIRST_AGENT = '/root'

const BILLING = 'x-anthropic-billing-header:'

/** Collects what the client's maker wrote in the body of a request: prompts, reminders, descriptions of tools. */
export function collectThirdParty(body: unknown, isOwn: IsOwn, found: ThirdParty): void {
  if (!isJsonObject(body)) return
  for (const prompt of [body['system'], body['instructions'], body['systemInstruction']]) {
    for (const text of textsIn(prompt)) addSystem(text, found)
  }
  const messages = [body['messages'], body['input'], body['contents']].flatMap(listOf)
  for (const message of messages) {
    if (isJsonObject(message)) collectMessage(message, isOwn, found)
  }
  if (JSON.stringify(body['client_metadata'] ?? '').includes(FIRST_AGENT)) found.texts.add(FIRST_AGENT)
  collectDescriptions(body['tools'], found)
}

function collectMessage(
  { role, type, content, output, parts }: Readonly<Record<string, unknown>>,
  isOwn: IsOwn,
  found: ThirdParty,
): void {
  const speaker = String(role ?? type)
  const texts = [content, output, parts].flatMap(textsIn)
  if (SYSTEM.has(speaker)) for (const text of texts) addSystem(text, found)
  if (SPOKEN.has(speaker)) for (const text of texts) addLines(text, isOwn, found)
}

/** The billing line is protocol: the translator knows it by its beginning. */
function addSystem(text: string, { texts }: ThirdParty): void {
  const rest = text.startsWith(BILLING) ? text.slice(text.indexOf('\n') + 1 || text.length) : text
  if (rest.trim() !== '') texts.add(rest)
}

function addLines(text: string, isOwn: IsOwn, { texts }: ThirdParty): void {
  if (isOwn(text)) return
  if (text.startsWith(SURROUNDINGS)) texts.add(text)
  for (const line of text.split(BETWEEN_LINES)) {
    const words = line.trim()
    if (words.length >= MIN_TEXT_LENGTH && !isOwn(words)) texts.add(words)
  }
}

/** The texts of a content: itself, those of its blocks, those of the results in it. */
function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  if (isJsonObject(content)) return textsIn(content['parts'])
  return listOf(content).flatMap((block) => {
    if (!isJsonObject(block)) return []
    if (typeof block['text'] === 'string') return [block['text']]
    if (isJsonObject(block['functionResponse'])) return wordsIn(block['functionResponse']['response'])
    return block['type'] === 'tool_result' ? textsIn(block['content']) : []
  })
}

/** What a tool has answered to a client of Gemini, in whatever member. */
function wordsIn(response: unknown): readonly string[] {
  const members = isJsonObject(response) ? Object.values(response) : []
  return members.filter((member) => typeof member === 'string')
}

function collectDescriptions(value: unknown, found: ThirdParty): void {
  if (Array.isArray(value)) for (const item of value) collectDescriptions(item, found)
  if (!isJsonObject(value)) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner !== 'string') collectDescriptions(inner, found)
    else if (isDescription(name) && inner !== '') found.descriptions.add(inner)
  }
}

/** Whether a member of a tool or a schema is prose. */
export function isDescription(name: string): boolean {
  return name === 'description' || name === 'title' || name === 'definition'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
