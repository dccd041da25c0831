const FNV_OFFSET = 2_166_136_261
const FNV_PRIME = 16_777_619

/**
 * Gives equal texts equal numbers, from 0 on. A map with the texts as keys would do the same, but engines hash long
 * texts by their length alone: many of one length, and each is compared with all the others.
 */
export class TextNumbers {
  readonly #known = new Map<number, { readonly text: string; readonly number: number }[]>()
  #count = 0

  numberOf(text: string): number {
    const hash = hashOf(text)
    const alike = this.#known.get(hash) ?? []
    const known = alike.find((entry) => entry.text === text)
    if (known !== undefined) return known.number
    const number = this.#count++
    alike.push({ text, number })
    this.#known.set(hash, alike)
    return number
  }
}

function hashOf(text: string): number {
  let hash = FNV_OFFSET
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME)
  return hash
}
