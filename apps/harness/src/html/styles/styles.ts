import { COLOURS } from './colours.ts'
import { LAYOUT } from './layout.ts'
import { PANELS } from './panels.ts'

/** All styles of the page. */
export const STYLES: string = COLOURS + LAYOUT + PANELS
