import type { HubMessage } from '../../src/index.ts'
import { call, failing, session, times } from './session.ts'

const read = (path: string, output: string): ReturnType<typeof call> =>
  call('Read', { file_path: path }, output)
const bash = (command: string, output: string): ReturnType<typeof call> => call('Bash', { command }, output)
const edit = (path: string, from: string, to: string): ReturnType<typeof call> =>
  call('Edit', { file_path: path, old_string: from, new_string: to }, 'ok')

/** Sessions of agents that work; a guard must not disturb any of them. */
export const HONEST_SESSIONS: Readonly<Record<string, readonly HubMessage[]>> = {
  'a file is read again after each edit': session(
    'rename the fields',
    ...Array.from({ length: 12 }, (_, index) => [
      [read('/src/model.ts', `version ${index}`)],
      [edit('/src/model.ts', `field${index}`, `name${index}`)],
    ]).flat(),
  ),
  'one symbol is renamed in thirty files, and each edit only says ok': session(
    'rename fetchUser to loadUser everywhere',
    [bash('rg -l fetchUser', Array.from({ length: 30 }, (_, index) => `src/a${index}.ts`).join('\n'))],
    ...times(30, (index) => edit(`/src/a${index}.ts`, 'fetchUser', 'loadUser')),
    [bash('rg -c fetchUser', '')],
  ),
  'tests are run again and again while fewer of them fail': session(
    'make the tests pass',
    ...[9, 9, 7, 7, 4, 2, 1].flatMap((failures, index) => [
      [failing('Bash', { command: 'pnpm test' }, `${failures} failed, ${40 - failures} passed`)],
      [edit('/src/parse.ts', `case ${index}:`, `case ${index}: return`)],
    ]),
    [bash('pnpm test', '40 passed')],
  ),
  'somebody else edits, and the tests are only run, with failures that change': session(
    'watch the tests while I edit',
    ...times(14, (index) => failing('Bash', { command: 'pnpm test' }, `${20 - index} failed`)),
  ),
  'directories are listed one after the other, some of them empty': session(
    'what is in here?',
    ...times(25, (index) =>
      call('LS', { path: `/repo/packages/package-${index}/source` }, index % 3 ? `file-${index}.ts` : ''),
    ),
  ),
  'a command fails, is tried again and then works': session(
    'install it',
    ...times(4, () => failing('Bash', { command: 'npm install' }, 'ECONNRESET')),
    [bash('npm install', 'added 120 packages')],
    ...times(3, () => failing('Bash', { command: 'npm run build' }, 'out of memory')),
    [bash('NODE_OPTIONS=--max-old-space-size=8192 npm run build', 'built')],
  ),
  'a build is polled until it is done': session(
    'build it and tell me',
    [bash('make build &', 'started as shell 1')],
    ...times(30, (index) => call('Bash', { command: 'tail -1 build.log' }, `still running, ${index * 5} s`)),
    ...times(30, () => call('BashOutput', { bash_id: '1' }, '(no new output)')),
    ...times(12, () => call('Bash', { command: 'sleep 30 && kubectl get pods' }, 'app-1  Pending')),
    [bash('kubectl get pods', 'app-1  Running')],
  ),
  'a long list is read page by page': session(
    'how many orders are there?',
    ...times(100, (index) => call('list_orders', { page: index + 1, size: 50 }, `orders ${index * 50} to …`)),
    [call('list_orders', { page: 101, size: 50 }, '[]')],
  ),
  'something is searched for in many ways, and found': session(
    'where is the retry limit set?',
    ...['retryLimit', 'max_retries', 'attempts', 'RETRY_TIMES', 'backoff'].map((pattern) => [
      call('Grep', { pattern, path: 'src' }, 'No matches found'),
    ]),
    [call('Grep', { pattern: 'tries', path: 'src' }, 'src/send.ts:12: const tries = 3')],
    [read('/src/send.ts', 'const tries = 3')],
  ),
  'the user asks for the same thing again and again': session(
    'is it up?',
    ...Array.from({ length: 8 }, () => [[bash('curl -s localhost/health', 'ok')], 'and now?']).flat(),
  ),
  'three looks side by side, before and after each commit': session(
    'commit in small pieces',
    ...Array.from({ length: 8 }, (_, index) => [
      [
        bash('git status', `${8 - index} files changed`),
        bash('git diff', `diff of piece ${index}`),
        bash('git log -3', `piece ${index - 1}`),
      ],
      [bash(`git add src/${index}.ts && git commit -m "piece ${index}"`, `[main abc${index}]`)],
    ]).flat(),
  ),
  'one file is patched twenty times, and every patch is a success': session(
    'tidy it up',
    ...times(20, (index) =>
      call(
        'apply_patch',
        { patch: `*** Update File: a.ts\n@@\n-line ${index}\n+Line ${index}` },
        'Success. M a.ts',
      ),
    ),
  ),
}
