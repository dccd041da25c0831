import { HubError } from '../hub/error.ts'
import { cleanWords } from './upstream-words.ts'

const MAX_SAID_LENGTH = 200
/** How much of what an upstream said beside its events is kept. */
const MAX_KEPT_LENGTH = 20_000

/** What an upstream said in a line that is no part of an event: often the reason why its answer breaks off. */
export class StrayWords {
  #words = ''

  /** Only the first line is of interest: others follow from it. */
  line(field: string, value: string): void {
    this.#words ||= (value === '' ? field : `${field}: ${value}`).slice(0, MAX_KEPT_LENGTH)
  }

  /** The error of an answer that broke off before it was finished. */
  brokenOff(dialect: string, events: number): HubError {
    const words = this.#words
    const tell = (said: string): string => {
      const shown = cleanWords(said).slice(0, MAX_SAID_LENGTH).toWellFormed()
      const ending = shown === '' ? '' : `; it said: ${shown}`
      return `${dialect}: the answer broke off after ${events} events, before it was finished${ending}`
    }
    return new HubError('api_error', tell(words), { status: 502, retell: (hide) => tell(hide(words)) })
  }
}
