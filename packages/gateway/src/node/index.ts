export { nodeExchange, type NodeBinding } from './node-exchange.ts'
export { undiciTransport, type UndiciTransportOptions } from './undici-transport.ts'
