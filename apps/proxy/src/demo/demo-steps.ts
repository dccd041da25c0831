import { sampleInput, type SampleSchema } from './sample-input.ts'

/** A tool as far as the demo reads it. */
export interface DemoTool {
  readonly function: { readonly name: string; readonly parameters?: SampleSchema }
}

/** One call that a prompt asks for. */
export interface DemoStep {
  readonly name: string
  /** Its input; without one the tool is called with a sample of what its schema asks for. */
  readonly input: object
}

/** `call NAME`, then an input without inner braces or none, then a number of times or none. */
const STEP = /\bcall ([\w-]+)(?:\s+(\{[^{}]*\}))?(?:\s+(\d{1,3}) times)?/gi

/** In a step's input this stands for what the step before returned. */
const RESULT = '$result'

/**
 * The steps that a prompt spells out: `call list_files {"folder": "."}, then call count {"of": "$result"}`,
 * or `call roll 20 times`. Only tools that are offered count.
 */
export function stepsOf(prompt: string, tools: readonly DemoTool[]): DemoStep[] {
  return [...prompt.matchAll(STEP)].flatMap(([, name = '', json, times = '1']) => {
    const tool = tools.find((offered) => offered.function.name === name)?.function
    if (tool === undefined) return []
    const input = json === undefined ? sampleInput(tool.parameters) : inputOf(json)
    return input === undefined ? [] : Array.from({ length: Number(times) }, () => ({ name, input }))
  })
}

function inputOf(json: string): object | undefined {
  try {
    return JSON.parse(json) as object
  } catch {
    return undefined
  }
}

/** A step's input with what the step before returned in its place. */
export function withResult(input: object, result: string): object {
  return Object.fromEntries(
    Object.entries(input).map(([field, value]) => [field, value === RESULT ? result : (value as unknown)]),
  )
}
