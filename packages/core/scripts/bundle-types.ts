import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const FOLDER = fileURLToPath(new URL('../', import.meta.url))
const TYPED = /^(?:\.{0,2}\/|@anthropic-ai\/|openai|@google\/genai)/
/** What the SDKs look for in vain, in case that somebody has it. */
const ELSEWHERE = /\.\.\/node_modules\/|(?:\.\.\/){3}/

/**
 * Puts the types that an entry leads to into one file. The wire is typed by the official SDKs, which nobody has to
 * install: what is used of their types goes along. Without this a program that checks its libraries
 * (`skipLibCheck: false`) could not compile.
 */
export async function bundleTypes(entry: string): Promise<void> {
  const bundle = await rolldown({
    input: entry,
    cwd: FOLDER,
    treeshake: { moduleSideEffects: false },
    external: (id) => !TYPED.test(id) || ELSEWHERE.test(id),
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, resolver: 'oxc', cwd: FOLDER })],
  })
  const { output } = await bundle.generate({ format: 'es' })
  const text = output.map((file) => (file.type === 'chunk' ? file.code : '')).join('\n')
  const [left] = /^import .*|\bimport\(.*/m.exec(text) ?? []
  if (left !== undefined) throw new Error(`the declarations still need somebody else's: ${left}`)
  await bundle.write({ dir: dirname(entry), format: 'es' })
  await bundle.close()
}
