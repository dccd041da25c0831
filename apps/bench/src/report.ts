import type { Figure } from './suite.ts'

/** Whether a figure is beyond its limit; a figure that is no number always is. */
export function isOver({ value, limit }: Figure): boolean {
  return limit !== undefined && !(value <= limit)
}

/** What a figure is called in a list: what was measured, and with which pair. */
export function fullName({ name, pair }: Figure): string {
  return pair === undefined ? name : `${name}, ${pair}`
}

/** The figures of a suite as a table: a line for each, or a line for each pair where there are several pairs. */
export function report(title: string, figures: readonly Figure[]): string {
  const pairs = new Set(figures.flatMap(({ pair }) => pair ?? []))
  if (pairs.size < 2) return list(title, figures)
  const others = figures.filter(({ pair }) => pair === undefined)
  const grid = gridOf(title, [...pairs], figures)
  return others.length === 0 ? grid : `${grid}\n\n${list(title, others)}`
}

function list(title: string, figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    fullName(figure),
    written(figure.value, figure),
    figure.limit === undefined ? '' : `<= ${written(figure.limit, figure)}`,
    verdict(figure),
    figure.detail,
  ])
  return aligned([[title, 'value', 'limit', '', ''], ...rows], (column) => column === 1 || column === 2)
}

/** A line for each pair and a column for each kind of figure; what is over its limit is marked. */
function gridOf(title: string, pairs: readonly string[], figures: readonly Figure[]): string {
  const kinds = [...new Set(figures.flatMap(({ name, pair }) => (pair === undefined ? [] : [name])))]
  const rows = pairs.map((pair) => {
    const own = figures.filter((figure) => figure.pair === pair)
    return [pair, ...kinds.map((kind) => cellOf(own.find(({ name }) => name === kind)))]
  })
  const table = aligned([[title, ...kinds], ...rows], (column) => column > 0)
  return `${table}\n(value/limit; ! is over the limit)`
}

function cellOf(figure: Figure | undefined): string {
  if (figure === undefined) return '-'
  const value = written(figure.value, figure)
  if (figure.limit === undefined) return value
  return `${isOver(figure) ? '! ' : ''}${value}/${written(figure.limit, figure)}`
}

function aligned(table: readonly (readonly string[])[], isNumber: (column: number) => boolean): string {
  const columns = table[0]?.map((_, column) => column) ?? []
  const widths = columns.map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const padded = (cell: string, column: number): string =>
    isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  return table.map((row) => row.map(padded).join('  ').trimEnd()).join('\n')
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
