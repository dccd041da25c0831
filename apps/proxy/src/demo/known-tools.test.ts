import { expect, test } from 'vitest'
import { knownCall } from './known-tools.ts'
import type { SampleSchema } from './sample-input.ts'

function tool(name: string, properties: SampleSchema['properties'] = {}, required: string[] = []): object {
  return { function: { name, parameters: { type: 'object', properties, required } } }
}

const TEXT = { type: 'string' }

test.each([
  [
    'Claude Code',
    tool('Bash', { command: TEXT, description: TEXT }),
    { command: 'ls', description: 'List files' },
  ],
  ['Codex', tool('exec_command', { cmd: TEXT, workdir: TEXT }, ['cmd']), { cmd: 'ls' }],
  ['Codex of old', tool('shell', { command: { type: 'array' } }, ['command']), { command: ['ls'] }],
  ['pi', tool('bash', { command: TEXT, timeout: { type: 'number' } }, ['command']), { command: 'ls' }],
  ['Gemini CLI', tool('run_shell_command', { command: TEXT }, ['command']), { command: 'ls' }],
  [
    'a tool that wants more',
    tool('bash', { command: TEXT, mode: { enum: ['sync', 'async'] } }, ['command', 'mode']),
    { command: 'ls', mode: 'sync' },
  ],
])('the shell of %s is called with the fields it has', (_agent, offered, input) => {
  expect(knownCall('List the files', [offered as never])?.input).toEqual(input)
})

test.each([
  ['Read', 'file_path'],
  ['read', 'filePath'],
  ['read_file', 'absolute_path'],
  ['view', 'path'],
])('%s reads a file by %s', (name, field) => {
  const offered = tool(name, { [field]: TEXT }, [field]) as never
  expect(knownCall('read it', [offered])).toEqual({ name, input: { [field]: 'README.md' } })
})

test('tools that only look similar are left alone', () => {
  const offered = [tool('list_bash'), tool('read_agent'), tool('bash_output')] as never[]
  expect(knownCall('list and read it', offered)).toBeUndefined()
})
