import { delimiter, dirname } from 'node:path'
import { COMPILE_CACHE } from '../compile-cache.ts'
import { CLIENT_KEY } from '../keys.ts'

/** Where one session of Claude Code lives. */
export interface Surroundings {
  readonly home: string
  readonly temp: string
  /** The `claude` program. */
  readonly binary: string
}

/** The environment of a Claude Code that knows nobody but the proxy, and nothing of this machine's own settings. */
export function claudeEnvironment({ home, temp, binary }: Surroundings): NodeJS.ProcessEnv {
  const path = [dirname(binary), dirname(process.execPath), process.env['PATH']].join(delimiter)
  return {
    ...COMPILE_CACHE,
    PATH: path,
    HOME: home,
    TMPDIR: temp,
    CLAUDE_CODE_TMPDIR: temp,
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    ANTHROPIC_API_KEY: CLIENT_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Without it Claude Code refuses to work as root, which is what containers of CI are.
    IS_SANDBOX: '1',
  }
}
