import { expect, test } from 'vitest'
import { openaiChat } from '@hydra/core'
import { TemporaryFiles } from '../temporary-files.ts'
import { copilot } from './copilot.ts'

test.each(['API_KEY_COMMAND', 'BEARER_TOKEN', 'HEADERS', 'MODEL_ID', 'TRANSPORT', 'WIRE_MODEL'])(
  'Copilot CLI does not get the %s of another provider',
  (name) => {
    const variable = `COPILOT_PROVIDER_${name}`
    const { env } = copilot.setUp({
      proxy: { url: 'http://127.0.0.1:1', key: undefined, passes: false },
      dialect: openaiChat.name,
      key: 'any',
      model: 'demo',
      env: { [variable]: 'of-another' },
      files: new TemporaryFiles(),
    })
    expect({ [variable]: 'of-another', ...env }[variable]).toBeUndefined()
  },
)
