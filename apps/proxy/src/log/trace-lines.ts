import type { ConversionTrace, MessageOutline } from '@hydra/core'
import type { ExchangeReport } from '@hydra/gateway'
import { plainText } from './plain-text.ts'

/** What was translated into what, and every note, if that is wanted: types and numbers, no words of the conversation. */
export function traceLines(
  { trace, notes }: ExchangeReport,
  { traces }: { readonly traces: boolean },
): string {
  if (!traces) return ''
  const noted = notes.map(({ code, path, message }) => `note ${code} at ${path}: ${message}`)
  const lines = [...(trace === undefined ? [] : conversionLines(trace)), ...noted.map(plainText)]
  return lines.map((line) => `    ${line}\n`).join('')
}

function conversionLines({ input, output }: ConversionTrace): string[] {
  return [
    `in: ${input.length} messages`,
    ...input.map(outlineLine),
    `out: ${output.length} messages`,
    ...output.map(outlineLine),
  ]
}

function outlineLine({ index, role, blocks, calls, results }: MessageOutline): string {
  const types = Object.entries(blocks).map(([type, number]) => `${number} ${type}`)
  return plainText(
    `  [${index}] ${role}: ${types.join(', ') || 'empty'} (calls ${calls}, results ${results})`,
  )
}
