import { Buffer } from 'node:buffer'

/** Shorter pieces of base64 would be found in any text. */
const MIN_BASE64 = 12

/** Strings in JSON in a string in JSON are usual: the arguments of a call in a streamed event, a line of a tape. */
const NESTED_ESCAPES = 3

/** The ways in which a secret is spelled in traffic, as bytes in Latin-1. */
export function spellingsOf(secret: string): readonly string[] {
  const spellings = [secret, ...escapesOf(secret), ...base64Of(secret)]
  try {
    spellings.push(encodeURIComponent(secret))
  } catch {
    // A lone surrogate has no such form.
  }
  return [...new Set(spellings.map(toBytes))]
}

/** The ways in which a home directory is spelled, among them its name in the folders of Claude Code's projects. */
export function homeSpellingsOf(home: string): readonly string[] {
  const slug = home.replaceAll(/[^A-Za-z0-9]/g, '-')
  const own = [home, ...escapesOf(home), encodeURIComponent(home)]
  // `-u-me` may be part of any text.
  return [...new Set([...own, ...(slug.length < 8 ? [] : [slug])].map(toBytes))]
}

/** A text as a string of its UTF-8 bytes, one character each. */
export function toBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function escapesOf(text: string): readonly string[] {
  const forms: string[] = []
  for (const first of [text, text.replaceAll('/', '\\/'), escapeNonAscii(text)]) {
    let form = first
    for (let level = 0; level < NESTED_ESCAPES; level += 1) {
      forms.push(form)
      form = JSON.stringify(form).slice(1, -1)
    }
    forms.push(form)
  }
  return forms
}

function escapeNonAscii(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Base64 of any text that contains the secret: at each of the three ways in which its bytes can fall. */
function base64Of(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'utf8')
  return [0, 1, 2].flatMap((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url')
    // Characters that also depend on a neighbour are left out.
    const first = Math.ceil((before * 4) / 3)
    const last = Math.floor(((before + bytes.length) * 4) / 3)
    const stable = coded.slice(first, last)
    if (stable.length < MIN_BASE64) return []
    return [stable, stable.replaceAll('-', '+').replaceAll('_', '/')]
  })
}
