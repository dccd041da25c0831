import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { PNG } from './png.ts'

/** The program of an MCP server with one tool: this file. */
export const MCP_SERVER: string = fileURLToPath(import.meta.url)

/** The name of its tool. */
export const LONG_TOOL = 'a_tool_that_says_at_length_what_it_does_with_a_word'

interface Call {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly word?: string } }
}

function resultOf({ method, params }: Call): object {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'e2e', version: '1.0.0' },
      }
    case 'tools/list':
      return { tools: [{ name: LONG_TOOL, description: 'Repeats a word', inputSchema: INPUT }] }
    case 'tools/call':
      return {
        content: [
          { type: 'text', text: `the server heard ${params?.arguments?.word}` },
          { type: 'image', data: PNG, mimeType: 'image/png' },
        ],
      }
    default:
      return {}
  }
}

const INPUT = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }

function serve(): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const call = JSON.parse(line) as Call
    // What has no id wants no answer.
    if (call.id === undefined) return
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: call.id, result: resultOf(call) })}\n`)
  })
}

if (process.argv[1] === MCP_SERVER) serve()
