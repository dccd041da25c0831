/** What the value of a member of JSON is to a text: a part of one, the name of something, or what tells two apart. */
export type MemberKind = 'text' | 'label' | 'id' | 'index'

/**
 * Members whose strings are whole names and no parts of a text. One that is missing here is taken for a text, which
 * costs time and hides nothing; so a dialect that is not known yet is covered. Labels are searched too, each by itself.
 */
const LABELS: ReadonlySet<string> = new Set([
  'event',
  'finishReason',
  'finish_reason',
  'id',
  'modality',
  'model',
  'modelVersion',
  'model_name',
  'name',
  'native_finish_reason',
  'obfuscation',
  'object',
  'provider',
  'role',
  'service_tier',
  'status',
  'stopReason',
  'stop_reason',
  'system_fingerprint',
  'type',
])

/** The kind of a member by its name. */
export function memberKind(name: string): MemberKind {
  if (name.endsWith('ndex') && (name === 'index' || name.endsWith('_index') || name.endsWith('Index')))
    return 'index'
  if (name.endsWith('_id') || name.endsWith('Id')) return 'id'
  return LABELS.has(name) ? 'label' : 'text'
}
