export { type TapeHandlerOptions, type TapeHandlers, tapeHandlers } from './tape-handlers.ts'
