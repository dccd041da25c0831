import type { ExchangeEntry } from '../src/page/page-data.ts'

/** An exchange with nothing unusual, for tests. */
export const USUAL_ENTRY: ExchangeEntry = {
  id: 'live-1',
  session: 's',
  number: 1,
  agent: { key: 'main', kind: 'main' },
  title: 'Hi',
  isTurn: true,
  state: 'clean',
  begun: 0,
  span: 1000,
  client: 'c',
  notes: [],
  tools: [],
  attempts: 1,
  size: 10,
}
