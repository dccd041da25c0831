import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '@hydra/cli'
import { gemini as dialect } from '@hydra/core'
import { parse } from 'jsonc-parser'
import type { TemporaryFiles } from '../temporary-files.ts'
import type { Agent } from './agent.ts'

/**
 * Google's Gemini CLI. It reads from its settings only whether to use a key or a login, and takes other settings only
 * from its home folder: it gets a temporary one, with links to everything but the settings.
 */
export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  npm: '@google/gemini-cli',
  speaks: dialect.name,
  needsModel: true,
  setUp: ({ proxy: { url }, key, model, env, files }) => ({
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: key,
      GEMINI_MODEL: model,
      GEMINI_CLI_HOME: temporaryHome(env, files),
      GOOGLE_API_KEY: undefined,
      GOOGLE_GENAI_USE_VERTEXAI: undefined,
      GOOGLE_GENAI_USE_GCA: undefined,
    },
  }),
}

const FOLDER = '.gemini'
const SETTINGS = 'settings.json'

function temporaryHome(env: Environment, files: TemporaryFiles): string {
  const own = join(env['GEMINI_CLI_HOME'] || env['HOME'] || homedir(), FOLDER)
  const names = existsSync(own) ? readdirSync(own) : []
  for (const name of names.filter((entry) => entry !== SETTINGS)) {
    files.link(join(FOLDER, name), join(own, name))
  }
  const settings = names.includes(SETTINGS) ? readFileSync(join(own, SETTINGS), 'utf8') : '{}'
  const file = files.write(join(FOLDER, SETTINGS), JSON.stringify(withKey(settings)))
  return dirname(dirname(file))
}

interface GeminiSettings {
  readonly security?: { readonly auth?: object }
}

/** The user's settings, which may have comments, with the choice of a key. */
function withKey(text: string): GeminiSettings {
  const settings = (parse(text) ?? {}) as GeminiSettings
  const auth = { ...settings.security?.auth, selectedType: 'gemini-api-key' }
  return { ...settings, security: { ...settings.security, auth } }
}
