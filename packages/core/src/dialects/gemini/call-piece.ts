import { isJsonObject } from '../../json/json-object.ts'
import { arrayAt, objectAt, textAt, WireFault, type WireObject } from '../../json/wire.ts'

/** Deeper places than this are no arguments of an honest model. */
const MAX_STEPS = 100

type Step = string | number
type Container = Record<string, unknown> | unknown[]

/** The arguments of a call that comes in pieces: each names its place by a JSON path, strings come in several. */
export class PartialArguments {
  readonly value: Record<string, unknown> = Object.create(null) as Record<string, unknown>

  /** What came whole with the beginning of the call. */
  constructor(first?: unknown) {
    if (isJsonObject(first)) Object.assign(this.value, first)
  }

  add(pieces: unknown, path: string): void {
    for (const [index, element] of arrayAt(pieces, path).entries()) {
      const place = `${path}[${index}]`
      const piece = objectAt(element, place)
      if (piece !== undefined) this.#place(piece, place)
    }
  }

  #place(piece: WireObject, path: string): void {
    const steps = stepsOf(textAt(piece['jsonPath'], `${path}.jsonPath`), `${path}.jsonPath`)
    const last = steps.pop()
    if (last === undefined) return
    let at: Container = this.value
    for (const [index, step] of steps.entries()) {
      at = containerAt(at, step, { next: steps[index + 1] ?? last, path: `${path}.jsonPath` })
    }
    const before = read(at, last)
    write(at, last, { value: valueOf(piece, before), path: `${path}.jsonPath` })
  }
}

function valueOf(piece: WireObject, before: unknown): unknown {
  const { stringValue, numberValue, boolValue } = piece
  if (typeof stringValue === 'string') return (typeof before === 'string' ? before : '') + stringValue
  if (typeof numberValue === 'number') return numberValue
  return typeof boolValue === 'boolean' ? boolValue : null
}

/** The steps of `$.a.b[0]['c d']`. */
function stepsOf(jsonPath: string, path: string): Step[] {
  const steps: Step[] = []
  for (const [, name, single, double, index] of jsonPath.matchAll(
    /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d{1,9}))\]/g,
  )) {
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
  }
  if (steps.length > MAX_STEPS) throw new WireFault(path, `at most ${MAX_STEPS} steps`, jsonPath)
  return steps
}

function containerAt(at: Container, step: Step, { next, path }: { next: Step; path: string }): Container {
  const known = read(at, step)
  if (typeof known === 'object' && known !== null) return known as Container
  const made: Container = typeof next === 'number' ? [] : (Object.create(null) as Record<string, unknown>)
  write(at, step, { value: made, path })
  return made
}

function read(at: Container, step: Step): unknown {
  if (Array.isArray(at)) return typeof step === 'number' ? at[step] : undefined
  return at[step]
}

/** An array grows by one element at a time: a far index would cost more memory than was sent. */
function write(at: Container, step: Step, { value, path }: { value: unknown; path: string }): void {
  if (!Array.isArray(at)) at[step] = value
  else if (typeof step === 'number' && step <= at.length) at[step] = value
  else throw new WireFault(path, 'the next element of its array', step)
}
