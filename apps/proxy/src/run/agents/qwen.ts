import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Environment } from '@hydra/cli'
import { anthropic, gemini, openaiChat, openaiResponses } from '@hydra/core'
import { parse } from 'jsonc-parser'
import type { Agent, Launch } from './agent.ts'

/** Qwen Code's names of the dialects, the versions in its addresses, and what its variables begin with. */
const TYPES: Readonly<Record<string, readonly [type: string, version: string, variables: string]>> = {
  [openaiChat.name]: ['openai', '/v1', 'OPENAI'],
  [openaiResponses.name]: ['openai-responses', '/v1', 'OPENAI'],
  [anthropic.name]: ['anthropic', '', 'ANTHROPIC'],
  [gemini.name]: ['gemini', '', 'GEMINI'],
}

/** Alibaba's Qwen Code. A model and a provider in its user's settings count more than variables. */
export const qwen: Agent = {
  name: 'qwen',
  title: 'Qwen Code',
  npm: '@qwen-code/qwen-code',
  speaks: openaiChat.name,
  alsoSpeaks: [openaiResponses.name, anthropic.name, gemini.name],
  needsModel: true,
  setUp(launch) {
    const { proxy, dialect, key, model } = launch
    const [type, version, variables] = TYPES[dialect] ?? ['', '', '']
    const baseUrl = proxy.url + version
    const provider = { id: model, name: model, baseUrl, envKey: `${variables}_API_KEY` }
    return {
      env: {
        [`${variables}_BASE_URL`]: baseUrl,
        [`${variables}_API_KEY`]: key,
        [`${variables}_MODEL`]: model,
        ...machineSettings(launch, { model: { name: model }, modelProviders: { [type]: [provider] } }),
      },
      args: ['--auth-type', type],
    }
  },
}

const SETTINGS_VARIABLE = 'QWEN_CODE_SYSTEM_SETTINGS_PATH'
const DEFAULTS_VARIABLE = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH'

/** Where settings of the whole machine are, which count more than those of a user and of a project. */
const FOLDERS: Readonly<Record<string, string>> = {
  darwin: '/Library/Application Support/QwenCode',
  win32: String.raw`C:\ProgramData\qwen-code`,
}
const OTHER_FOLDER = '/etc/qwen-code'

/** The machine's settings in a temporary file, with some of them replaced. */
function machineSettings({ env, files }: Launch, replaced: object): Environment {
  const own = env[SETTINGS_VARIABLE] || join(FOLDERS[process.platform] ?? OTHER_FOLDER, 'settings.json')
  const text = JSON.stringify({ ...readSettings(own), ...replaced })
  return {
    [SETTINGS_VARIABLE]: files.write('settings.json', text),
    // They are looked for beside the settings.
    [DEFAULTS_VARIABLE]: env[DEFAULTS_VARIABLE] || join(dirname(own), 'system-defaults.json'),
  }
}

/** Settings may have comments; few machines have any. */
function readSettings(file: string): object {
  try {
    return (parse(readFileSync(file, 'utf8')) ?? {}) as object
  } catch {
    return {}
  }
}
