import { expect, test } from 'vitest'
import { hashOf } from '@hydra/team'
import { answer } from './chat.ts'
import { closing } from './closing.ts'
import { startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile } from './temporary.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

const SHARED = 'shared-key-of-the-team'
const OWN = 'hydra_key-of-ada'

test.each([[[]], [['--workers', '2']]])(
  'the page of a team asks for the key that all share, and opens with no key of a client (%j)',
  async (args) => {
    const upstream = await opened(startUpstream(answer({ text: 'Hi' })))
    const config = configFile({
      key: 'env:SHARED',
      keys: [{ name: 'ada', hash: hashOf(OWN) }],
      upstreams: { up: { url: upstream.url } },
      routes: [{ upstream: 'up', model: 'm' }],
    })
    const hydra = await opened(startHydra(['--config', config, ...args], { SHARED }))
    expect(hydra.output()).toContain(`see what happens: ${hydra.url}/_hydra/`)
    expect((await post(hydra, {}, { 'x-api-key': OWN })).status).toBe(200)
    const look = async (path: string, headers = {}) => (await fetch(hydra.url + path, { headers })).status
    expect(await look('/_hydra/')).toBe(200)
    expect(await look('/_hydra/api/session')).toBe(401)
    expect(await look('/_hydra/api/session', { 'x-api-key': OWN })).toBe(401)
    expect(await look('/_hydra/api/session', { 'x-api-key': SHARED })).toBe(200)
    expect(await look('/metrics')).toBe(401)
  },
  20_000,
)
