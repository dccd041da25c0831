import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sidebar } from './pages/sidebar.ts'
import { sitePages } from './pages/site-pages.ts'
import { ROOT } from './repository.ts'

// Writes the pages of the site, for its generator.
const folder = fileURLToPath(new URL('../site/pages', import.meta.url))
rmSync(folder, { recursive: true, force: true })
const pages = sitePages()
for (const { path, text } of pages) write(path, text)
write('sidebar.json', JSON.stringify(sidebar(pages), undefined, 2))
cpSync(join(ROOT, 'docs/images'), join(folder, 'public/images'), { recursive: true })
cpSync(join(ROOT, 'docs/images'), join(folder, 'images'), { recursive: true })
console.log(`${pages.length} pages in ${folder}`)

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
