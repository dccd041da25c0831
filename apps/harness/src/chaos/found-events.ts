/** One event of an upstream's stream, as its bytes say it. */
export interface FoundEvent {
  readonly data: string
  /** After how many bytes its last line of data was there, without the end of that line. */
  readonly end: number
}

/** The events of a stream, read as Latin-1 so that a character is a byte; one whose blank line never came counts too. */
export function* eventsIn(text: string): Generator<FoundEvent> {
  let data: string[] = []
  let end = 0
  for (const { line, end: at } of linesIn(text)) {
    if (line.startsWith('data:')) {
      data.push(line.slice(5).replace(/^ /, ''))
      end = at
    }
    if (line !== '' || data.length === 0) continue
    yield { data: data.join('\n'), end }
    data = []
  }
}

/** The lines of a stream without their ends, and after how many bytes each was there; behind the last one is an empty one. */
export function* linesIn(text: string): Generator<{ readonly line: string; readonly end: number }> {
  for (const { 0: match, index } of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const line = match.replace(/[\r\n]+$/, '')
    yield { line, end: index + line.length }
  }
}
