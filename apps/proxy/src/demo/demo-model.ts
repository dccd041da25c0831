import { inClone } from '@hydra/cli'
import { type DemoTool, stepsOf, withResult } from './demo-steps.ts'
import { knownCall } from './known-tools.ts'
import { sampleInput } from './sample-input.ts'

/** A chat request as far as the demo reads it. */
export interface DemoRequest {
  readonly stream?: boolean
  readonly messages: readonly DemoMessage[]
  readonly tools?: readonly DemoTool[]
}

interface DemoMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
}

/** What the demo says, and the tool it calls. */
export interface DemoAnswer {
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly input: object }
}

const MAX_QUOTE_LENGTH = 400

/** The scripted model: it greets, it calls a tool or several when asked to and it says what the last one returned. */
export function answerTo({ messages, tools = [] }: DemoRequest): DemoAnswer {
  const last = messages.findLast((message) => message.role === 'tool' || promptOf(message) !== '')
  if (last === undefined) return { text: GREETING }
  const step = nextStep(messages, tools)
  const call = step ?? (last.role === 'tool' ? undefined : callFor(promptOf(last), tools))
  if (call !== undefined) {
    return { text: `I will call ${call.name}.`, call: { id: `call_demo_${messages.length}`, ...call } }
  }
  return { text: last.role === 'tool' ? resultText(textOf(last)) : GREETING }
}

/** The step that is due where the latest prompt spells out its calls: as many are done as results came since. */
function nextStep(
  messages: readonly DemoMessage[],
  tools: readonly DemoTool[],
): Omit<DemoCall, 'id'> | undefined {
  const asked = messages.findLastIndex((message) => promptOf(message) !== '')
  const prompt = messages[asked]
  if (prompt === undefined) return undefined
  const results = messages.slice(asked + 1).filter(({ role }) => role === 'tool')
  const step = stepsOf(promptOf(prompt), tools)[results.length]
  const before = results.at(-1)
  return (
    step && { name: step.name, input: withResult(step.input, before === undefined ? '' : textOf(before)) }
  )
}

const GREETING = [
  "Hello from Hydra's built-in demo model: your client, the proxy and an upstream work together.",
  'I am a script, not a model. Ask me to list the files and I will call a tool.',
  'To talk to a real model, stop the proxy and start it with a key and a model, for example:',
  inClone('OPENAI_API_KEY=… hydra serve --model gpt-5.1', process.env),
].join('\n')

function resultText(result: string): string {
  return `The tool returned:\n\n${result.slice(0, MAX_QUOTE_LENGTH)}\n\nThat is all this demo can do with it.`
}

/** A tool of a kind that agents bring and that the prompt speaks of, or one whose name it says. */
function callFor(prompt: string, tools: readonly DemoTool[]): Omit<DemoCall, 'id'> | undefined {
  const known = knownCall(prompt, tools)
  if (known !== undefined) return known
  const named = tools.find((tool) => prompt.includes(tool.function.name))?.function
  return named === undefined ? undefined : { name: named.name, input: sampleInput(named.parameters) }
}

type DemoCall = NonNullable<DemoAnswer['call']>

/** Agents put what they add to a prompt into elements such as `<environment_context>`. */
const ADDED = /<([a-z][\w-]*)(?: [^<>]*)?>[\s\S]*?<\/\1>/gi

/** What the user said in a message, without what agents add to it. */
function promptOf(message: DemoMessage): string {
  return message.role === 'user' ? textOf(message).replaceAll(ADDED, '').trim() : ''
}

function textOf({ content }: DemoMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('\n')
}
