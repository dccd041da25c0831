import { delimiter, dirname, join } from 'node:path'
import { COMPILE_CACHE } from '../compile-cache.ts'
import { CLIENT_KEY } from '../keys.ts'

/** Where one session of an agent lives. */
interface Folders {
  readonly home: string
  readonly temp: string
}

/** The environment of an agent that knows nothing of this machine's own settings. */
export function agentEnvironment(programs: string, { home, temp }: Folders): NodeJS.ProcessEnv {
  return {
    ...COMPILE_CACHE,
    PATH: [programs, dirname(process.execPath), process.env['PATH']].join(delimiter),
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_STATE_HOME: join(home, '.local/state'),
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    ANTHROPIC_API_KEY: CLIENT_KEY,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
  }
}
