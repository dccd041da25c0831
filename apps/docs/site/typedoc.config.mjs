import { readdirSync, readFileSync } from 'node:fs'

const PACKAGES = '../../../packages'

/** The entries of every package that is published, by the names under which programs import them. */
const entries = readdirSync(PACKAGES).flatMap((folder) => {
  const {
    name,
    private: isPrivate,
    exports,
  } = JSON.parse(readFileSync(`${PACKAGES}/${folder}/package.json`, 'utf8'))
  if (isPrivate) return []
  return Object.entries(exports).map(([entry, file]) => [
    name + entry.slice(1),
    `${PACKAGES}/${folder}${file.slice(1)}`,
  ])
})

export const NAMES = new Map(
  entries.map(([name, file]) => [file.slice(PACKAGES.length + 1).replace(/\/index\.ts$/, ''), name]),
)

export default {
  plugin: ['typedoc-plugin-markdown', './typedoc-names.mjs'],
  tsconfig: 'tsconfig.typedoc.json',
  entryPoints: entries.map(([, file]) => file),
  out: 'pages/api',
  router: 'module',
  // The packages' own compiler is newer and has checked them.
  skipErrorChecking: true,
  disableSources: true,
  excludePrivate: true,
  excludeExternals: true,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  name: 'API reference',
  readme: 'none',
  entryFileName: 'index',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  useCodeBlocks: true,
}
