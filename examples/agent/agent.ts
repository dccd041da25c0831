// An agent that counts the words of all documents in a folder and writes a report, longest first.
// In one terminal: `npx -y pnpm@12.18.0 start`.
// In another: `npx -y pnpm@12.18.0 exec node examples/agent/agent.ts docs`.
// In a project of your own the last two imports are from '@hydra/core' and '@hydra/gateway/agent'.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createLoopGuard } from '../../packages/core/src/index.ts'
import { type AgentTool, runAgent } from '../../packages/gateway/src/agent/index.ts'

const { HYDRA_URL = 'http://127.0.0.1:3456' } = process.env
const [, , folder = 'docs'] = process.argv
const report = join(tmpdir(), 'hydra-report.md')
const task = `First call list_files {}, then call count_words {"text": "$result"}, then call write_report
{"text": "$result"}. Each $result is what the call before returned.`

async function countWords(name: string): Promise<string> {
  const words = (await readFile(join(folder, basename(name)), 'utf8')).split(/\s+/)
  return `${String(words.length).padStart(6)} ${name}`
}

function tool(name: string, run: (text: string) => unknown): AgentTool {
  const input_schema = { type: 'object' as const, properties: { text: { type: 'string' } } }
  return { name, input_schema, run: (input) => run(String(input['text'])) }
}

const result = await runAgent({
  send: HYDRA_URL,
  model: 'claude-sonnet-5',
  messages: [{ role: 'user', content: task }],
  tools: [
    tool('list_files', async () => (await readdir(folder)).filter((name) => name.endsWith('.md')).join('\n')),
    tool('count_words', async (names) => (await Promise.all(names.split('\n').map(countWords))).join('\n')),
    tool('write_report', (text) => writeFile(report, text.split('\n').toSorted().toReversed().join('\n'))),
  ],
  guard: createLoopGuard({ mode: 'stop' }),
  onEvent: ({ type, iteration }) => type === 'stored' && console.log(iteration, 'is over'),
})
if (result.outcome === 'failed') throw result.error
console.log(`${result.text}\n${result.outcome} after ${result.iterations} turns: see ${report}`)
