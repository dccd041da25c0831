import { expect, test } from 'vitest'
import { configFile } from '../../test/temporary.ts'
import { UsageError } from '../cli/usage-error.ts'
import { readSettings } from './read-settings.ts'

const ENV = { HOME: '/nonexistent' }
const CONFIG = configFile(
  JSON.stringify({
    upstreams: { ollama: {} },
    routes: [{ upstream: 'ollama', model: 'm' }],
    loopGuard: { mode: 'warn', repeats: 7, exemptTools: ['Read'] },
  }),
)

async function guardOf(typed: string | undefined, env: object, config?: string): Promise<unknown> {
  return (await readSettings({ 'loop-guard': typed, config }, { ...ENV, ...env })).gateway.loopGuard
}

test('loops are not looked for unless somebody says so', async () => {
  expect((await readSettings({}, ENV)).gateway).not.toHaveProperty('loopGuard')
})

test('the mode comes from the option, the variable or the configuration, in this order', async () => {
  expect(await guardOf('stop', { HYDRA_LOOP_GUARD: 'notify' })).toEqual({ mode: 'stop' })
  expect(await guardOf(undefined, { HYDRA_LOOP_GUARD: 'notify' })).toEqual({ mode: 'notify' })
  const numbers = { repeats: 7, exemptTools: ['Read'] }
  expect(await guardOf(undefined, {}, CONFIG)).toEqual({ mode: 'warn', ...numbers })
  expect(await guardOf('stop', {}, CONFIG)).toEqual({ mode: 'stop', ...numbers })
  expect(await guardOf('off', {}, CONFIG)).toBeUndefined()
})

test('an unknown mode is refused, wherever it was said', async () => {
  await expect(readSettings({ 'loop-guard': 'halt' }, ENV)).rejects.toThrow(
    new UsageError('--loop-guard halt: expected one of off, warn, notify, stop'),
  )
  const config = configFile('{ "loopGuard": { "mode": "halt", "repeats": 1 } }')
  await expect(readSettings({ config }, ENV)).rejects.toThrow(/loopGuard\.mode: expected one of off, warn/)
})
