import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testedProgram } from '@hydra/release/tested-program'
import { AGENTS } from '../../../proxy/src/run/agents/known-agents.ts'
import { ROOT, readText } from '../repository.ts'

/** A folder in which the commands of the documents can be typed: the files that they name, and the programs. */
export interface World {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  /** The same once more, for a reader who changes something in it. */
  copy(): World
  remove(): void
}

const MESSAGES = [{ role: 'user', content: 'Say hello.' }]
const REQUEST = { model: 'claude-sonnet-5', max_tokens: 64, messages: MESSAGES }
const FILES: Readonly<Record<string, unknown>> = {
  'package.json': { type: 'module' },
  'request.json': REQUEST,
  'codex.json': { model: 'gpt-5.1', input: 'Say hello.' },
  'session.har': { log: { version: '1.2', creator: {}, entries: [harEntry()] } },
}

/** An agent, or a program of a reader: it asks the model that its variables lead to, three times. */
const CLIENT = `for (const content of ['Say hello.', 'And again.', 'Goodbye.']) {
  const body = JSON.stringify({ ...${JSON.stringify(REQUEST)}, messages: [{ role: 'user', content }] })
  const headers = { 'content-type': 'application/json', 'x-api-key': 'any' }
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
  console.log((await answer.json()).content[0].text)
}
`

/** Makes a folder of that kind, in which no command can reach a configuration or a key of this machine. */
export function createWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'hydra-docs-'))
  for (const [name, value] of Object.entries(FILES)) writeFileSync(join(folder, name), JSON.stringify(value))
  for (const name of ['my-agent.js', 'my-script.js']) writeFileSync(join(folder, name), CLIENT)
  for (const [name, script] of Object.entries(programs())) addProgram(join(folder, '.bin'), name, script)
  for (const name of ['claude-code-one-tool', 'claude-code-text', 'sdk-tool-loop']) {
    cpSync(join(ROOT, 'fixtures/tapes', name), join(folder, 'fixtures/tapes', name), { recursive: true })
  }
  execFileSync('git', ['init', '--quiet', folder])
  const world = worldIn(folder)
  addTapes(world)
  return world
}

function worldIn(folder: string): World {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env
  const own = { HOME: folder, HYDRA_PROXY_PORT: '0', NO_COLOR: '1' }
  const env = { PATH: `${folder}/.bin:${PATH}`, TMPDIR, NODE_COMPILE_CACHE, ...own }
  return {
    folder,
    env,
    copy() {
      const other = mkdtempSync(join(tmpdir(), 'hydra-docs-'))
      cpSync(folder, other, { recursive: true })
      return worldIn(other)
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function programs(): Readonly<Record<string, string>> {
  const node = process.execPath
  const agents = AGENTS.map(({ name }) => [name, name === 'claude' ? `exec node my-agent.js` : 'exit 0'])
  return {
    node: `exec ${node} "$@"`,
    hydra: `exec ${node} ${testedProgram('hydra')} "$@"`,
    'hydra-tape': `exec ${node} ${testedProgram('hydra-tape')} "$@"`,
    npx: 'shift 2\nexec pnpm "$@"',
    pnpm: scripts(),
    ...(Object.fromEntries(agents) as Record<string, string>),
  }
}

function addProgram(bin: string, name: string, script: string): void {
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** The scripts of the repository, run as pnpm runs them: in its root, with where they were typed in a variable. */
function scripts(): string {
  const { scripts: all } = JSON.parse(readText('package.json')) as { scripts: Record<string, string> }
  const cases = ['start', 'hydra', 'tape'].map((name) => `${name}) shift; exec ${all[name]} "$@" ;;`)
  return `export INIT_CWD="$PWD" npm_package_name=hydra npm_lifecycle_event="$1"
cd ${ROOT}
case "$1" in
${cases.join('\n')}
*) echo "pnpm $1 is not for this test" >&2; exit 2 ;;
esac`
}

/** The tapes that documents name: what the program of the reader asks, recorded in front of the demo model. */
function addTapes({ folder, env }: World): void {
  const args = ['record', '--out', 'tapes', '--', 'node', 'my-agent.js']
  execFileSync(join(folder, '.bin/hydra-tape'), args, { cwd: folder, env, stdio: 'ignore' })
  const recorded = readdirSync(join(folder, 'tapes')).find((name) => !name.startsWith('.')) ?? ''
  renameSync(join(folder, 'tapes', recorded), join(folder, 'tapes/session'))
  cpSync(join(folder, 'tapes/session'), join(folder, 'tapes/weather'), { recursive: true })
}

function harEntry(): object {
  const content = [{ type: 'text', text: 'Hello.' }]
  const usage = { input_tokens: 1, output_tokens: 1 }
  const answer = { id: 'msg_1', type: 'message', role: 'assistant', model: REQUEST.model, content, usage }
  const headers = [{ name: 'content-type', value: 'application/json' }]
  return {
    startedDateTime: '2026-01-02T12:00:00.000Z',
    time: 1,
    request: {
      method: 'POST',
      url: 'https://api.anthropic.com/v1/messages',
      httpVersion: 'HTTP/1.1',
      headers,
      postData: { mimeType: 'application/json', text: JSON.stringify(REQUEST) },
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers,
      content: {
        mimeType: 'application/json',
        text: JSON.stringify({ ...answer, stop_reason: 'end_turn', stop_sequence: null }),
      },
    },
    timings: { send: 0, wait: 1, receive: 0 },
  }
}
