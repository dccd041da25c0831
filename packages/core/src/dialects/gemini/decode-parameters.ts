import { invalidRequest } from '../../hub/error.ts'
import type { Notes } from '../../hub/note.ts'
import type { HubExtras, HubRequest } from '../../hub/request.ts'
import { present } from '../../json/present.ts'
import { decodeEffort } from './decode-effort.ts'
import { decodeFormat } from './decode-format.ts'
import { Fields } from './fields.ts'

type Parameters = Pick<
  HubRequest,
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'top_k'
  | 'stop_sequences'
  | 'thinking'
  | 'output_config'
  | 'extras'
>

/** What the fields of a `generationConfig` become. */
interface DecodedParameters {
  readonly fields: Parameters
  readonly extras: HubExtras
  /** What the system prompt must say, as no field of the hub can. */
  readonly instruction: string
  readonly showsThoughts: boolean
}

/** Decodes `generationConfig`. */
export function decodeParameters(body: Fields, notes: Notes): DecodedParameters {
  const config = body.object('generationConfig') ?? new Fields({}, body.pathOf('generationConfig'))
  refuseOthers(config, notes)
  const format = decodeFormat(config, notes)
  const effort = decodeEffort(config, notes)
  const output = { ...effort.config, ...format.config }
  const stops = config.texts('stopSequences')
  const fields = {
    ...present('max_tokens', config.count('maxOutputTokens', 1)),
    ...decodeSampling(config),
    ...(stops.length > 0 && { stop_sequences: stops }),
    ...present('thinking', effort.thinking),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  }
  const extras = {
    ...present('seed', config.number('seed')),
    ...present('presence_penalty', config.number('presencePenalty')),
    ...present('frequency_penalty', config.number('frequencyPenalty')),
    ...format.extras,
  }
  config.noteOthers(notes)
  return { fields, extras, instruction: format.instruction, showsThoughts: effort.showsThoughts }
}

/** What Gemini CLI sends with every request: Google's own defaults, which some models of others refuse. */
const DEFAULTS = { temperature: 1, topP: 0.95, topK: 64 } as const

function decodeSampling(config: Fields): Pick<Parameters, 'temperature' | 'top_p' | 'top_k'> {
  const temperature = config.number('temperature', { least: 0, most: 2 })
  const topP = config.number('topP', { least: 0, most: 1 })
  const topK = config.count('topK')
  if (temperature === DEFAULTS.temperature && topP === DEFAULTS.topP && topK === DEFAULTS.topK) return {}
  return { ...present('temperature', temperature), ...present('top_p', topP), ...present('top_k', topK) }
}

/** An answer of another kind than text would be no answer to what was asked. */
function refuseOthers(config: Fields, notes: Notes): void {
  const count = config.count('candidateCount', 1)
  if (count !== undefined && count > 1) {
    throw invalidRequest(
      config.pathOf('candidateCount'),
      `expected 1: an answer has one candidate, got ${count}`,
    )
  }
  const path = config.pathOf('responseModalities')
  const modalities = config.texts('responseModalities').map((name) => name.toUpperCase())
  const others = modalities.filter((name) => name !== 'TEXT').join(', ')
  if (others === '') return
  if (!modalities.includes('TEXT')) throw invalidRequest(path, `expected TEXT among them, got ${others}`)
  notes.add('field_ignored', path, `an answer has no ${others} here`)
}
