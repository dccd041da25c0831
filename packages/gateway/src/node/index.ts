// oxlint-disable-next-line no-unassigned-import -- it has to come before undici
import './refuse-old-node.ts'
export { nodeExchange, type NodeBinding } from './node-exchange.ts'
export { undiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
export { processFigures } from './process-figures.ts'
