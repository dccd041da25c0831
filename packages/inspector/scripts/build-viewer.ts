import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const VIEWER = join(PACKAGE, 'viewer')
const CACHE = join(PACKAGE, 'node_modules', '.cache', 'viewer')

/** What would end the element around the script. */
const ELEMENT_END = /<(?=\/script|!--)/gi

/** The viewer as one script and one style sheet; what was bundled from the same source before is taken from the cache. */
export async function buildViewer(): Promise<{ script: string; styles: string }> {
  const styles = readFileSync(join(VIEWER, 'viewer.css'), 'utf8')
  const cached = join(CACHE, `${sourceHash()}.js`)
  const known = readIfThere(cached)
  if (known !== undefined) return { script: known, styles }
  const script = await bundle()
  keep(cached, script)
  return { script, styles }
}

async function bundle(): Promise<string> {
  const build = await rolldown({
    input: join(VIEWER, 'main.tsx'),
    platform: 'browser',
    transform: { target: 'es2022' },
  })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output[0].code.replaceAll(ELEMENT_END, String.raw`\x3c`)
}

/** Of all that goes into the bundle: our own files, also those that the server has too, and what is said of everything else. */
function sourceHash(): string {
  const hash = createHash('sha256')
  for (const folder of [VIEWER, join(PACKAGE, 'src')]) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
      if (/\.tsx?$/.test(file)) hash.update(file).update(readFileSync(join(folder, file)))
    }
  }
  for (const file of ['package.json', 'scripts/build-viewer.ts', 'node_modules/preact/package.json']) {
    hash.update(readFileSync(join(PACKAGE, file)))
  }
  return hash.digest('hex').slice(0, 16)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A folder that cannot be written to only costs the time to bundle again. */
function keep(file: string, text: string): void {
  try {
    mkdirSync(CACHE, { recursive: true })
    const own = `${file}.${process.pid}`
    writeFileSync(own, text)
    renameSync(own, file)
  } catch {
    return
  }
}

const [, program, folder] = process.argv
if (program === fileURLToPath(import.meta.url) && folder !== undefined) {
  const { script, styles } = await buildViewer()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'viewer.js'), script)
  writeFileSync(join(folder, 'viewer.css'), styles)
}
