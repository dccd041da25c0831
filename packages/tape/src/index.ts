export type * from './format/lines.ts'
export { TAPE_FILE, TAPE_VERSION } from './format/lines.ts'
export type * from './format/tape.ts'
