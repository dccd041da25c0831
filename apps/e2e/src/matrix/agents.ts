import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import type { MatrixAgent } from './matrix-agent.ts'

const TOOL_LOOP = ['tools'] as const

const claude: MatrixAgent = {
  name: 'claude',
  npm: '@anthropic-ai/claude-code',
  version: '2.1.325',
  dialects: [anthropic.name],
  shell: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
  words: (prompt) => [
    '-p',
    prompt,
    '--model',
    'claude-opus-5-5',
    '--output-format',
    'stream-json',
    '--verbose',
    '--dangerously-skip-permissions',
  ],
}

const CODEX_FLAGS = [
  '--json',
  '--skip-git-repo-check',
  '--dangerously-bypass-approvals-and-sandbox',
  '-m',
  'gpt-5.5',
  '-c',
  'model_reasoning_effort="medium"',
  '-c',
  'model_reasoning_summary="detailed"',
] as const

const codex: MatrixAgent = {
  name: 'codex',
  npm: '@openai/codex',
  version: '0.169.0',
  dialects: [openaiResponses.name],
  shell: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  words: (prompt) => ['exec', ...CODEX_FLAGS, prompt],
  goOn: (prompt) => ['exec', 'resume', '--last', ...CODEX_FLAGS, prompt],
}

const opencode: MatrixAgent = {
  name: 'opencode',
  npm: 'opencode-ai',
  version: '1.18.33',
  dialects: [openaiChat.name, openaiResponses.name, anthropic.name, gemini.name],
  scenes: TOOL_LOOP,
  shell: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
  words: (prompt) => ['run', '--format', 'json', prompt],
  env: {
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_PERMISSION: '{"*":"allow"}',
  },
}

const pi: MatrixAgent = {
  name: 'pi',
  npm: '@earendil-works/pi-coding-agent',
  version: '0.87.1',
  dialects: [anthropic.name, openaiChat.name, openaiResponses.name, gemini.name],
  scenes: TOOL_LOOP,
  shell: (command) => ({ name: 'bash', input: { command } }),
  words: (prompt) => ['--offline', '-p', prompt],
  env: { PI_OFFLINE: '1' },
}

const geminiCli: MatrixAgent = {
  name: 'gemini',
  npm: '@google/gemini-cli',
  version: '0.61.0',
  dialects: [gemini.name],
  scenes: TOOL_LOOP,
  shell: (command) => ({ name: 'run_shell_command', input: { command } }),
  words: (prompt) => ['-p', prompt, '--yolo', '--skip-trust'],
}

const qwen: MatrixAgent = {
  name: 'qwen',
  npm: '@qwen-code/qwen-code',
  version: '0.24.4',
  dialects: [openaiChat.name],
  scenes: TOOL_LOOP,
  shell: (command) => ({ name: 'run_shell_command', input: { command, is_background: false } }),
  words: (prompt) => ['-p', prompt, '--yolo'],
  // Without a terminal its shell tool counts as ended at the child's exit, and loses output that was not read by then.
  settings: { '.qwen/settings.json': { tools: { shell: { enableInteractiveShell: true } } } },
}

/** The agents that are tried, those that play everything first. */
export const matrixAgents: readonly MatrixAgent[] = [claude, codex, opencode, pi, geminiCli, qwen]

/** The agent with the program of a name. */
export function agentNamed(name: string | undefined): MatrixAgent {
  const agent = matrixAgents.find((one) => one.name === name)
  if (agent === undefined) throw new Error(`there is no agent '${name}'`)
  return agent
}
