import type { ExchangePage, Lane, TimeMark } from '../page-data.ts'
import type { PageElement, ViewerFunctions } from './dom.ts'
import type { Tools } from './tools.ts'

/** The chunks of both legs over time. */
export function timelinePanel(tools: Tools, { lanes, marks }: ExchangePage): PageElement {
  const { make, section, span } = tools
  const times = [...marks.map(({ at }) => at), ...lanes.flatMap(({ chunks }) => chunks.map(([at]) => at))]
  const start = times.reduce((least, at) => Math.min(least, at), times[0] ?? 0)
  const length = Math.max(1, times.reduce((most, at) => Math.max(most, at), start) - start)
  const scale = { start, length }
  return section(
    'Timeline',
    make(
      'div',
      'timeline',
      ...lanes.map((lane) => laneNode(tools, lane, scale)),
      marksNode(tools, marks, scale),
      make(
        'div',
        'axis',
        make('span', '', '0 ms'),
        make('span', '', span(length / 2)),
        make('span', '', span(length)),
      ),
    ),
    make('p', 'muted', marks.map(({ at, label }) => `${label} ${span(at - start)}`).join(' · ')),
  )
}

function laneNode(
  { make, span, bytes }: Tools,
  { name, chunks }: Lane,
  scale: { start: number; length: number },
): PageElement {
  // A lane has so many places at most, however many chunks there are.
  const places = 240
  const sums = new Map<number, { count: number; bytes: number; at: number }>()
  for (const [at, size] of chunks) {
    const place = Math.min(places - 1, Math.floor(((at - scale.start) / scale.length) * places))
    const sum = sums.get(place) ?? { count: 0, bytes: 0, at }
    sums.set(place, { count: sum.count + 1, bytes: sum.bytes + size, at: sum.at })
  }
  const most = [...sums.values()].reduce((largest, sum) => Math.max(largest, sum.bytes), 1)
  const bars = [...sums].map(([place, sum]) => {
    const bar = make('span', 'bar')
    bar.style['left'] = `${(place / places) * 100}%`
    bar.style['height'] = `${25 + 75 * Math.sqrt(sum.bytes / most)}%`
    bar.title = `after ${span(sum.at - scale.start)}: ${sum.count} chunk${sum.count === 1 ? '' : 's'}, ${bytes(sum.bytes)}`
    return bar
  })
  const total = chunks.reduce((sum, [, size]) => sum + size, 0)
  const lane = make('div', `lane ${name}`, ...bars)
  lane.setAttribute('role', 'img')
  lane.setAttribute('aria-label', `${name}: ${chunks.length} chunks, ${bytes(total)}`)
  return make('div', 'lane-row', make('span', 'lane-name', name), lane)
}

function marksNode(
  { make, span }: Tools,
  marks: readonly TimeMark[],
  scale: { start: number; length: number },
): PageElement {
  const ticks = marks.map(({ at, label }) => {
    const tick = make('span', 'tick')
    tick.style['left'] = `${((at - scale.start) / scale.length) * 100}%`
    tick.title = `${label}: after ${span(at - scale.start)}`
    return tick
  })
  return make('div', 'lane-row', make('span', 'lane-name', 'marks'), make('div', 'ticks', ...ticks))
}

/** The functions of this file, in the form in which the page gets them. */
export const TIMELINE_FUNCTIONS: ViewerFunctions = [timelinePanel, laneNode, marksNode]
