import { readFile } from 'node:fs/promises'

/** The one server that a README shows: the code of its first block of TypeScript. */
export async function readmeServer(readme: URL): Promise<string> {
  const text = await readFile(readme, 'utf8')
  const code = /^```ts\n(.*?)^```$/ms.exec(text)?.[1]
  if (code === undefined) throw new Error(`${readme.pathname}: there is no block of TypeScript`)
  return code
}
