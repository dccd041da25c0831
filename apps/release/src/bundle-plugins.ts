import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'rolldown'
import { buildViewer } from '../../../packages/inspector/scripts/build-viewer.ts'

const BUILTIN = '\0builtin:'

/**
 * Node's own modules are asked for when they are first used and not when the file is linked: an old Node that lacks one
 * gets to the line that says which Node is needed.
 */
export function lateBuiltins(): Plugin {
  return {
    name: 'late-builtins',
    resolveId: {
      filter: { id: /^[\w:/]+$/ },
      handler(id, importer) {
        if (!isBuiltin(id)) return null
        // The bundler's own helpers come first, and need nothing that an old Node lacks.
        const isAsked = importer?.startsWith(BUILTIN) || importer?.startsWith('\0rolldown')
        return isAsked ? { id, external: true } : `${BUILTIN}${id}.cjs`
      },
    },
    load: {
      filter: { id: /^\0builtin:/ },
      // And not by `process.getBuiltinModule`, which an old Node lacks as well.
      handler: (id) =>
        `module.exports = require(${JSON.stringify(id.slice(BUILTIN.length, -'.cjs'.length))})`,
    },
  }
}

const READ_FILE = /readFileSync\(\s*new URL\('([^']+)', import\.meta\.url\),\s*'utf8',?\s*\)/g

/** Files of our packages that are read when a program runs become part of it. */
export function inlinedFiles(): Plugin {
  return {
    name: 'inlined-files',
    transform: {
      filter: { id: /[\\/](?:apps|packages)[\\/][^\\/]+[\\/]src[\\/]/, code: 'import.meta.url' },
      handler: (code, id) =>
        code.replaceAll(READ_FILE, (_whole, path: string) =>
          JSON.stringify(readFileSync(resolve(dirname(id), path), 'utf8')),
        ),
    },
  }
}

/** The page of the inspector, bundled as its package does it. */
export function inlinedViewer(): Plugin {
  return {
    name: 'inlined-viewer',
    load: {
      filter: { id: /[\\/]inspector[\\/]src[\\/]bundle[\\/]viewer-bundle\.ts$/ },
      handler: async () =>
        `const bundle = ${JSON.stringify(await buildViewer())}\nexport const viewerBundle = async () => bundle\n`,
    },
  }
}
