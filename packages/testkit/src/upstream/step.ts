/** How a connection ends: orderly, or as if the machine had gone. */
export type Ending = 'close' | 'reset'

/** One thing the upstream does on its connection. */
export type Step =
  /** Sends the status line and the headers; without a content-length the body is sent in chunks. */
  | { readonly do: 'head'; readonly status: number; readonly headers: Readonly<Record<string, string>> }
  /** Sends a piece of the body, framed as the headers announced it. */
  | { readonly do: 'body'; readonly bytes: string | Uint8Array }
  /** Puts bytes on the wire as they are. */
  | { readonly do: 'raw'; readonly bytes: string | Uint8Array }
  | { readonly do: 'pause'; readonly milliseconds: number }
  /** Does nothing more until the other side closes the connection. */
  | { readonly do: 'hang' }
  /** Ends the connection here. */
  | { readonly do: 'cut'; readonly by: Ending }
  /** Ends the connection once so many bytes, headers included, are on the wire. */
  | { readonly do: 'limit'; readonly bytes: number; readonly by: Ending }

/** Sends the status and the headers. */
export function head(status = 200, headers: Readonly<Record<string, string>> = EVENT_STREAM): Step {
  return { do: 'head', status, headers }
}

/** Sends a piece of the body. */
export function body(bytes: string | Uint8Array): Step {
  return { do: 'body', bytes }
}

/** Sends one event whose data is a value, or a text as it is. */
export function event(data: unknown): Step {
  return body(`data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`)
}

/** Puts bytes on the wire as they are, for answers that are no HTTP. */
export function raw(bytes: string | Uint8Array): Step {
  return { do: 'raw', bytes }
}

/** Waits; a test that knows what it waits for awaits that instead, inside its turn. */
export function pause(milliseconds: number): Step {
  return { do: 'pause', milliseconds }
}

/** Says nothing more. */
export function hang(): Step {
  return { do: 'hang' }
}

/** Ends the connection here. */
export function cut(by: Ending): Step {
  return { do: 'cut', by }
}

/** The headers of a stream of events. */
export const EVENT_STREAM: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
}

/** The headers of a JSON body. */
export const JSON_BODY: Readonly<Record<string, string>> = { 'content-type': 'application/json' }
