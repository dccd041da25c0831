import type { HubMessage, LoopKind } from '../../src/index.ts'
import { call, failing, lost, session, times } from './session.ts'

/** A session that runs in circles, and what a guard must say of it. */
export interface LoopingSession {
  readonly messages: readonly HubMessage[]
  readonly kind: LoopKind
  readonly message: string
}

const GIT = ['git diff', 'git status', 'git log']

/** Every way to run in circles that a guard must see, as short as it may be seen. */
export const LOOPING_SESSIONS: Readonly<Record<string, LoopingSession>> = {
  'the same call with the same result': {
    messages: session('go', ...times(5, () => call('Bash', { command: 'git status' }, 'clean'))),
    kind: 'same_call',
    message: 'Bash was called 5 times with the same input and brought nothing new',
  },
  'the same failure': {
    messages: session('go', ...times(5, () => failing('Edit', { old_string: 'a' }, 'String not found'))),
    kind: 'same_call',
    message: 'Edit was called 5 times with the same input and brought nothing new',
  },
  'the same call whose failure only tells another time': {
    messages: session(
      'go',
      ...times(15, (index) => failing('Fetch', { url: '/a' }, `timeout at 12:00:${index}`)),
    ),
    kind: 'same_call',
    message: 'Fetch was called 15 times with the same input and brought nothing new',
  },
  'the same tool with slightly different inputs and the same result': {
    messages: session(
      'go',
      ...times(10, (index) =>
        call('Grep', { pattern: `fooBar${'s'.repeat(index % 3)}`, path: 'src' }, 'No matches'),
      ),
    ),
    kind: 'similar_calls',
    message: 'Grep was called 10 times with slightly different inputs and brought nothing new',
  },
  'two calls in turn': {
    messages: session(
      'go',
      ...times(8, (index) =>
        index % 2
          ? failing('Edit', { file_path: 'a', old_string: 'x' }, 'String not found')
          : call('Read', { file_path: 'a' }, 'the file'),
      ),
    ),
    kind: 'alternation',
    message: 'Read, Edit were called 4 times in turn with the same inputs and brought nothing new',
  },
  'three calls side by side whose results were lost in a merge, in any order': {
    messages: session(
      'is index.html committed?',
      ...Array.from({ length: 4 }, (_, index) =>
        [...GIT.slice(index % 3), ...GIT.slice(0, index % 3)].map((command) => lost('Bash', { command })),
      ),
    ),
    kind: 'alternation',
    message: 'Bash, Bash, Bash were called 4 times in turn with the same inputs and brought nothing new',
  },
  'only the first of two results survives a merge': {
    messages: session(
      'go',
      ...Array.from({ length: 4 }, () => [
        call('Read', { file_path: 'a' }, 'a'),
        lost('Read', { file_path: 'b' }),
      ]),
    ),
    kind: 'alternation',
    message: 'Read, Read were called 4 times in turn with the same inputs and brought nothing new',
  },
  'other calls each time, and no result ever': {
    messages: session(
      'go',
      [lost('Bash', { command: 'git status' })],
      [lost('Read', { file_path: '/repo/index.html' }), lost('Bash', { command: 'git log' })],
      [lost('Grep', { pattern: 'index' })],
      [lost('Bash', { command: 'ls' })],
    ),
    kind: 'lost_results',
    message: 'the results of 4 turns in a row are missing (Bash, Read, Grep)',
  },
  'stand-ins in the place of results': {
    messages: session(
      'go',
      ...['a', 'b', 'c', 'd'].map((name) => [
        failing(
          'Read',
          { file_path: `/repo/${name.repeat(20)}` },
          'The tool call was interrupted and has no result.',
        ),
      ]),
    ),
    kind: 'lost_results',
    message: 'the results of 4 turns in a row are missing (Read)',
  },
}
