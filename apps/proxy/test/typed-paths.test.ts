import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHydra } from './hydra.ts'
import { messagesBody } from './requests.ts'
import { temporaryFolder } from './temporary.ts'

/** As a script of the repository: it runs elsewhere than where it was typed. */
function typedIn(folder: string): Record<string, string> {
  return { npm_package_name: 'hydra', INIT_CWD: folder }
}

test('a configuration is looked for where the command was typed', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'mine.json'), '{ "port": 0 }')
  const found = await runHydra(['check', '--config', 'mine.json'], typedIn(folder))
  expect(found.stdout).toContain(`configuration: ${join(folder, 'mine.json')}\n`)
  expect(await runHydra(['check', '--config', '../none.json'], typedIn(folder))).toMatchObject({
    code: 2,
    stderr: `hydra: ${join(folder, '../none.json')}: there is no such configuration file\n`,
  })
})

const ASK = `
const headers = { 'content-type': 'application/json', authorization: 'Bearer any' }
const body = ${JSON.stringify(messagesBody())}
await (await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers, body })).text()
`

test.each([
  [['--record', 'tapes'], {}],
  [[], { HYDRA_RECORD: 'tapes' }],
])('tapes are written where the command was typed: %j %j', async (args, env) => {
  const folder = temporaryFolder()
  const command = [process.execPath, '--input-type=module', '-e', ASK]
  const variables = { ...typedIn(folder), ...env }
  const { stderr } = await runHydra(['run', '--port', '0', ...args, '--', ...command], variables)
  expect(stderr).toContain(`hydra: recording to ${join(folder, 'tapes')}\n`)
  expect(existsSync(join(folder, 'tapes'))).toBe(true)
})

test('a request is explained from where the command was typed', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'request.json'), messagesBody())
  expect(await runHydra(['explain', 'request.json'], typedIn(folder))).toMatchObject({ code: 0, stderr: '' })
})

test('elsewhere paths are taken from the working directory, and shown in full', async () => {
  const folder = temporaryFolder()
  const { stderr } = await runHydra(['check', '--config', 'none.ts'], { INIT_CWD: '/nonexistent' }, folder)
  expect(stderr).toBe(`hydra: ${join(folder, 'none.ts')}: there is no such configuration file\n`)
})
