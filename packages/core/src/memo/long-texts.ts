import { Memo } from './memo.ts'

/** For shorter texts it is quicker to look again. */
const LONG = 2048
/** How many texts are remembered: the prompts of a few agents. */
const MAX_TEXTS = 32

/** Remembers what was found out about long texts that come again and again, such as system prompts. */
export class LongTexts<Finding> {
  readonly #look: (text: string) => Finding
  readonly #findings = new Memo<string, Finding>(MAX_TEXTS)

  /** Takes the function that looks at a text: it must find the same each time. */
  constructor(look: (text: string) => Finding) {
    this.#look = look
  }

  lookUp(text: string): Finding {
    if (text.length < LONG) return this.#look(text)
    const known = this.#findings.get(text)
    if (known !== undefined) return known
    const finding = this.#look(text)
    this.#findings.set(text, finding)
    return finding
  }
}
