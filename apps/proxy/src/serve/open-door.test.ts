import { expect, test } from 'vitest'
import type { CliOptions } from '../settings/options.ts'
import { readSettings } from '../settings/read-settings.ts'
import { refuseOpenDoor } from './open-door.ts'

const NOWHERE = { HOME: '/nonexistent' }

async function refusal(options: CliOptions, env: Record<string, string> = {}): Promise<string | undefined> {
  const settings = await readSettings(options, { ...NOWHERE, ...env })
  try {
    refuseOpenDoor(settings)
    return undefined
  } catch (error) {
    return String(error)
  }
}

test.each(['127.0.0.1', '127.8.8.8', 'localhost', 'LocalHost', '::1', '[::1]'])(
  '%s needs no key',
  async (host) => {
    expect(await refusal({ host })).toBeUndefined()
  },
)

test.each(['0.0.0.0', '::', '192.168.1.5', 'example.test', '127.0.0.1.example.test', '10.127.0.1'])(
  '%s needs a key or courage',
  async (host) => {
    expect(await refusal({ host })).toContain(`listening on ${host} lets other machines in`)
    expect(await refusal({ host }, { HYDRA_KEY: '' })).toContain('set a key')
    expect(await refusal({ host }, { HYDRA_KEY: 'k' })).toBeUndefined()
    expect(await refusal({ host, key: 'k' })).toBeUndefined()
    expect(await refusal({ host, insecure: true })).toBeUndefined()
    expect(await refusal({ host, insecure: true, metrics: true })).toContain('metrics needs a key')
    expect(await refusal({ host, key: 'k', metrics: true })).toBeUndefined()
  },
)
