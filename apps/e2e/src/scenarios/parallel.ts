import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { answeredCalls, rounds } from '../upstream/conversation.ts'

const CONTENT = 'line1\n"quoted" \\ back\t中文 🎉\n'

/** Several calls at once: results come back in the order in which they are ready, and must find their calls. */
export const parallel: Scenario = {
  name: 'parallel',
  title: 'parallel tools: each result belongs to its call, and a file is written to the byte',
  async play({ upstream, claude, folder }) {
    const file = join(folder, 'out.txt')
    upstream.play(({ body }) => {
      if (rounds(body) === 0) return { text: 'Both at once.', calls: [say('AAA', 0.6), say('BBB', 0)] }
      if (rounds(body) === 1) return { calls: [write(file)] }
      return { text: `saw ${answeredCalls(body).slice(0, 2).map(pair).join(' and ')}` }
    })
    const outcome = await claude(['-p', 'go', '--allowedTools', 'Bash', 'Write'])
    expectPrinted(outcome, 'saw Says AAA: AAA and Says BBB: BBB')
    const written = await readFile(file, 'utf8')
    expect(
      written === CONTENT,
      `expected ${JSON.stringify(CONTENT)} in the file, got ${JSON.stringify(written)}`,
    )
  },
}

function say(word: string, pause: number): { name: string; arguments: object } {
  return { name: 'Bash', arguments: { command: `sleep ${pause}; echo ${word}`, description: `Says ${word}` } }
}

function write(file: string): { name: string; arguments: object } {
  return { name: 'Write', arguments: { file_path: file, content: CONTENT } }
}

function pair({ input, result }: { input: string; result: string }): string {
  const { description } = JSON.parse(input) as { description: string }
  return `${description}: ${result.trim()}`
}
