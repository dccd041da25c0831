import { expect, test } from 'vitest'
import { userEnvironment } from './user-environment.ts'

const SCRIPT = {
  npm_package_name: 'hydra',
  npm_lifecycle_event: 'hydra',
  npm_package_json: '/clone/package.json',
  npm_node_execpath: '/usr/bin/node',
  npm_config_user_agent: 'pnpm/12.18.0',
  pnpm_config_verify_deps_before_run: 'false',
  PNPM_SCRIPT_SRC_DIR: '/clone',
  INIT_CWD: '/home/ada/project',
  PWD: '/clone',
  COLOR: '0',
  EDITOR: 'vi',
  NODE: '/usr/bin/node',
}

const ADDED = [
  '/clone/node_modules/.bin',
  '/home/ada/.npm/_npx/0d65/node_modules/pnpm/dist/node-gyp-bin',
  '/clone/node_modules/.bin',
  '/home/ada/.npm/_npx/0d65/node_modules/.bin',
  '/home/ada/project/node_modules/.bin',
  '/home/ada/node_modules/.bin',
  '/home/node_modules/.bin',
  '/node_modules/.bin',
  '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
]

test('what a package manager has set for a script of the repository is taken away', () => {
  const env = { ...SCRIPT, PATH: [...ADDED, '/usr/local/bin', '/usr/bin'].join(':'), TERM: 'xterm' }
  expect(userEnvironment(env)).toEqual({
    PATH: '/usr/local/bin:/usr/bin',
    PWD: '/home/ada/project',
    TERM: 'xterm',
  })
})

test('what the user has put into PATH stays, also in front', () => {
  const own = ['/home/ada/project/node_modules/.bin', '/opt/node_modules/.bin', '/usr/bin']
  expect(userEnvironment({ ...SCRIPT, PATH: [...ADDED, ...own].join(':') })['PATH']).toBe(own.join(':'))
})

test('variables that npm sets as well, but to another value, are the user’s', () => {
  const env = { ...SCRIPT, EDITOR: 'nano', NODE: '/opt/node', COLOR: 'always', PATH: '/usr/bin' }
  expect(userEnvironment(env)).toMatchObject({ EDITOR: 'nano', NODE: '/opt/node', COLOR: 'always' })
})

test('an installed program passes everything on', () => {
  const env = { npm_package_name: 'mine', npm_lifecycle_event: 'hydra', PATH: '/mine/node_modules/.bin:/bin' }
  expect(userEnvironment(env)).toBe(env)
})
