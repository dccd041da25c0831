import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const pages = new URL('../pages/', import.meta.url)
const sidebar = JSON.parse(readFileSync(new URL('sidebar.json', pages), 'utf8'))

/** The pages of the API reference, one for each entry of a package. */
const api = readdirSync(new URL('api/', pages), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && path !== 'index.md')
  .map((path) => path.slice(0, -'.md'.length))
  .toSorted()
  .map((path) => ({ text: path, link: `/api/${path}` }))

export default defineConfig({
  title: 'Hydra',
  description:
    'Agents on any other provider’s models: wire protocols translated, streamed and proven on recordings',
  lang: 'en',
  srcDir: 'pages',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: true,
  // A link that leads nowhere fails the build.
  ignoreDeadLinks: false,
  markdown: {
    // Names of headings as in the repository, so that links to them work in both places.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(' ', '-'),
    },
    languageAlias: { jsonl: 'json' },
  },
  themeConfig: {
    outline: [2, 3],
    nav: [
      { text: 'Agents', link: '/agents' },
      { text: 'Providers', link: '/matrix' },
      { text: 'Server', link: '/packages/gateway' },
      { text: 'Tests', link: '/testing' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [...sidebar, { text: 'API reference', collapsed: true, items: api }],
    search: { provider: 'local' },
    footer: { message: 'MIT licensed.' },
  },
})
