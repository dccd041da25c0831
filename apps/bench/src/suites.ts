import type { Suite } from './suite.ts'

/** A suite by its name on the command line. */
interface SuiteEntry {
  readonly description: string
  readonly load: () => Promise<Suite>
}

/** Every suite there is. A new one is a module that exports a `Suite`, and a line here. */
export const suites: ReadonlyMap<string, SuiteEntry> = new Map([
  [
    'core',
    {
      description: 'the translators alone, without sockets: streams, requests, growth, memory',
      load: async () => (await import('./core/core-suite.ts')).coreSuite,
    },
  ],
  [
    'proxy',
    {
      description: 'the proxy over real sockets, against a raw byte pipe: CPU per request, memory per stream',
      load: async () => (await import('./proxy/proxy-suite.ts')).proxySuite,
    },
  ],
  [
    'tape',
    {
      description:
        'the proxy while it records, against the same proxy that does not: CPU per request; the gaps of a played tape',
      load: async () => (await import('./tape/tape-suite.ts')).tapeSuite,
    },
  ],
  [
    'inspector',
    {
      description:
        'the proxy while its exchanges are kept for the inspector, with and without a page that looks: CPU per request',
      load: async () => (await import('./inspector/inspector-suite.ts')).inspectorSuite,
    },
  ],
  [
    'team',
    {
      description:
        'the proxy while it counts what clients use, in memory, in a file and in a real Redis, against the same proxy that does not: CPU per request',
      load: async () => (await import('./team/team-suite.ts')).teamSuite,
    },
  ],
  [
    'scale',
    {
      description:
        'a hundred replicas on one real Redis: its CPU, calls and bytes per request, and the error of budgets while replicas are killed',
      load: async () => (await import('./scale/scale-suite.ts')).scaleSuite,
    },
  ],
])
