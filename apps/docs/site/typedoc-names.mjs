import { Converter } from 'typedoc'
import { NAMES } from './typedoc.config.mjs'

/** Calls modules what programs import them by, and not after their folders. */
export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const module of project.children ?? []) module.name = NAMES.get(module.name) ?? module.name
  })
}
