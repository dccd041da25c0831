import { readFile } from 'node:fs/promises'

/** The application that runs in the browser. */
export interface ViewerBundle {
  readonly script: string
  readonly styles: string
}

let loaded: Promise<ViewerBundle> | undefined

/**
 * The bundled viewer. A published package brings it along; in a checkout, where packages are run as they are written,
 * it is bundled when it is first asked for, and kept until its source changes.
 */
export function viewerBundle(): Promise<ViewerBundle> {
  loaded ??= load()
  // What failed once may succeed later.
  loaded.catch(() => (loaded = undefined))
  return loaded
}

async function load(): Promise<ViewerBundle> {
  return import.meta.url.endsWith('.ts') ? bundled() : published()
}

async function published(): Promise<ViewerBundle> {
  const [script, styles] = await Promise.all(
    ['viewer.js', 'viewer.css'].map((name) =>
      readFile(new URL(`../viewer/${name}`, import.meta.url), 'utf8'),
    ),
  )
  return { script: script ?? '', styles: styles ?? '' }
}

async function bundled(): Promise<ViewerBundle> {
  const script = new URL('../../scripts/build-viewer.ts', import.meta.url).href
  const { buildViewer } = (await import(script)) as { buildViewer: () => Promise<ViewerBundle> }
  return buildViewer()
}
