import type { Figure } from './suite.ts'

/** Whether a figure is beyond its limit; a figure that is no number always is. */
export function isOver({ value, limit }: Figure): boolean {
  return limit !== undefined && !(value <= limit)
}

/** The figures of a suite as a table. */
export function report(title: string, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    written(figure.value, figure),
    figure.limit === undefined ? '' : `<= ${written(figure.limit, figure)}`,
    verdict(figure),
    figure.detail,
  ])
  const table = [[title, 'value', 'limit', '', ''], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const lines = table.map((row) => row.map((cell, column) => padded(cell, widths[column] ?? 0, column)))
  return lines.map((cells) => cells.join('  ').trimEnd()).join('\n')
}

function padded(cell: string, width: number, column: number): string {
  return column === 1 || column === 2 ? cell.padStart(width) : cell.padEnd(width)
}

function verdict(figure: Figure): string {
  if (figure.limit === undefined) return ''
  return isOver(figure) ? 'OVER' : 'ok'
}

const WRITTEN: Readonly<Record<Figure['unit'], (value: number) => string>> = {
  ratio: (value) => value.toFixed(2),
  KB: (value) => `${value.toFixed(1)} KB`,
  ms: (value) => `${value.toFixed(2)} ms`,
}

function written(value: number, { unit }: Figure): string {
  return WRITTEN[unit](value)
}
