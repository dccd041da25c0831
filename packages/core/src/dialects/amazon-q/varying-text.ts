import type { VaryingText } from '../../fast-text/varying-text.ts'

/** The words of an answer. */
export const CONTENT: VaryingText = {
  key: 'content',
  textOf: ({ content }) => (typeof content === 'string' ? content : undefined),
}

/** The input of a call. */
export const INPUT: VaryingText = {
  key: 'input',
  textOf: ({ input, stop }) => (typeof input === 'string' && stop !== true ? input : undefined),
}
