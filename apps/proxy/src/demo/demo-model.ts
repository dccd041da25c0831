/** A chat request as far as the demo reads it. */
export interface DemoRequest {
  readonly stream?: boolean
  readonly messages: readonly DemoMessage[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
}

interface DemoMessage {
  readonly role: string
  readonly content?: string | readonly { readonly text?: string }[] | null
  readonly tool_calls?: readonly unknown[]
}

/** What the demo says, and the tool it calls. */
export interface DemoAnswer {
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly input: object }
}

/** Tools that the demo knows how to call, and the words in a prompt that make it do so. */
const TOOLS = [
  {
    name: 'Bash',
    words: /\b(?:run|bash|shell|command|list|ls)\b/i,
    input: { command: 'ls', description: 'List files' },
  },
  { name: 'Read', words: /\bread\b/i, input: { file_path: 'README.md' } },
] as const

const LONGEST_QUOTE = 400

/** The scripted model: it greets, it calls a tool when asked to and it says what the tool returned. */
export function answerTo({ messages, tools = [] }: DemoRequest): DemoAnswer {
  const last = messages.at(-1)
  if (last?.role === 'tool') {
    return {
      text: `The tool returned:\n\n${textOf(last).slice(0, LONGEST_QUOTE)}\n\nThat is all this demo can do with it.`,
    }
  }
  const prompt = promptOf(messages)
  const tool = TOOLS.find(
    ({ name, words }) => words.test(prompt) && tools.some((offered) => offered.function.name === name),
  )
  if (tool !== undefined) {
    const { name, input } = tool
    return { text: `I will call ${name}.`, call: { id: `call_demo_${messages.length}`, name, input } }
  }
  return { text: GREETING }
}

const GREETING = [
  "Hello from Hydra's built-in demo model: your client, the proxy and an upstream work together.",
  'I am a script, not a model. Ask me to list the files and I will call a tool.',
  'To talk to a real model, stop the proxy and start it with a key and a model, for example:',
  'OPENAI_API_KEY=… npx -y pnpm@12.18.0 start --model gpt-5.1',
].join('\n')

/** What the user said last, without the reminders that agents add to it. */
function promptOf(messages: readonly DemoMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user')
  return last === undefined
    ? ''
    : textOf(last).replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
}

function textOf({ content }: DemoMessage): string {
  if (typeof content === 'string') return content
  return (content ?? []).map((part) => part.text ?? '').join('\n')
}
