import type { http, HttpResponse } from 'msw'

/** What is used of msw. */
interface Msw {
  readonly http: typeof http
  readonly HttpResponse: typeof HttpResponse
}

const NEEDED = '@hydra/tape/msw needs msw 2.10 or newer'

/** The msw of the project; one that is missing or too old is a message that says what to install. */
export async function loadMsw(load: () => Promise<Partial<Msw>> = () => import('msw')): Promise<Msw> {
  const found = await load().catch((thrown: unknown) => {
    throw new Error(`${NEEDED}: npm install --save-dev msw`, { cause: thrown })
  })
  if (found.http === undefined || found.HttpResponse === undefined) {
    throw new Error(`${NEEDED}, and an older one is installed: npm install --save-dev msw@latest`)
  }
  return { http: found.http, HttpResponse: found.HttpResponse }
}
