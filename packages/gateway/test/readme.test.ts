import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { DEFAULT_BREAKER, DEFAULT_LIMITS, DEFAULT_RETRIES, DEFAULT_TIMEOUTS } from '../src/index.ts'
import { options } from '../src/schema/options.ts'
import { WHOLE_ANSWER } from './answers.ts'
import { closing, eventually } from './eventually.ts'
import { post } from './proxy.ts'
import { scriptedUpstream } from './scripted-upstream.ts'

const opened = closing()
const README = await readFile(new URL('../README.md', import.meta.url), 'utf8')
const EXAMPLE = new URL('../example/server.ts', import.meta.url)

test('the example of the readme runs', async () => {
  const code = await readFile(EXAMPLE, 'utf8')
  expect(README).toContain(`\`\`\`ts\n${code}\`\`\``)
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(20)
  const upstream = await opened(scriptedUpstream((wire) => wire.write(WHOLE_ANSWER)))
  const port = await freePort()
  const server = spawn(process.execPath, [fileURLToPath(EXAMPLE)], {
    env: { PORT: String(port), OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'k' },
  })
  let printed = ''
  server.stdout.on('data', (bytes) => (printed += String(bytes)))
  server.stderr.on('data', (bytes) => (printed += String(bytes)))
  try {
    await eventually(() => printed.includes('ANTHROPIC_BASE_URL') || server.exitCode !== null, 'a server')
    const response = await post({ url: `http://127.0.0.1:${port}` })
    expect(await response.text()).toContain('event: message_stop')
    expect(upstream.requests[0]).toMatchObject({ headers: { authorization: 'Bearer k' } })
    await eventually(() => printed.includes('answered 200'), 'a report')
  } finally {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
  }
})

test('the defaults of the readme are those of the code', () => {
  const tables = README.replace(/ +/g, ' ')
  const groups = {
    timeouts: DEFAULT_TIMEOUTS,
    retries: DEFAULT_RETRIES,
    limits: DEFAULT_LIMITS,
    breaker: DEFAULT_BREAKER,
  }
  for (const [group, defaults] of Object.entries(groups)) {
    for (const [name, value] of Object.entries(defaults)) {
      expect(tables).toContain(`| \`${group}.${name}\` | ${value} |`)
    }
  }
})

test('every option of the code is in the readme', () => {
  const names = Object.keys(options.entries)
  expect(names).toContain('upstreams')
  expect(names.filter((name) => !new RegExp(`^\\| \`${name}[\`.]`, 'm').test(README))).toEqual([])
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
