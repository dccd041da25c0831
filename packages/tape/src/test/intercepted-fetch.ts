/** Answers the requests of `fetch` that it wants to; undefined leaves one to the real `fetch`. */
export type Interceptor = (request: Request) => Promise<Response> | undefined

/** The `fetch` that was there before ours. */
export const realFetch: typeof fetch = globalThis.fetch

let current: { readonly folder: string; readonly intercept: Interceptor } | undefined

/**
 * Takes the place of the global `fetch` as soon as this module is loaded, and leaves everything to it until a tape is
 * in use: an SDK keeps the `fetch` that it finds when its client is made, which may be before the test begins.
 */
globalThis.fetch = async function fetch(input, init) {
  if (current === undefined) return realFetch(input, init)
  const request = new Request(input, init)
  const answered = current.intercept(request)
  return answered ?? realFetch(input, init)
}

/** Lets a tape have the requests of this process, until the result is called. */
export function interceptFetch(folder: string, intercept: Interceptor): () => void {
  if (current !== undefined) {
    throw new Error(
      `the tape ${current.folder} is in use, and ${folder} cannot be used at the same time: ` +
        'for tests that run at once, use { intercept: false } and give the client tape.fetch',
    )
  }
  const own = { folder, intercept }
  current = own
  return () => {
    if (current === own) current = undefined
  }
}
