import type { HubDelta } from '../../hub/message.ts'
import type { Notes } from '../../hub/note.ts'
import { isJsonObject } from '../../json/json-object.ts'
import { arrayAt, objectAt, type WireObject } from '../../json/wire.ts'

/** A page of the web that a text is about. */
export type Citation = Extract<HubDelta, { type: 'citations_delta' }>

/** The citations in the `annotations` of a delta. */
export function citationsIn(annotations: unknown, notes: Notes): Citation[] {
  const path = 'choices[0].delta.annotations'
  return arrayAt(annotations, path).flatMap((element) => {
    const { type, url_citation: cited } = objectAt(element, `${path}[]`) ?? {}
    if (type === 'url_citation' && isJsonObject(cited) && typeof cited['url'] === 'string')
      return citationOf(cited['url'], cited['title'])
    notes.add('annotation_dropped', path, `an annotation of the type ${String(type)} has no equivalent`)
    return []
  })
}

/** Perplexity's sources, which its text refers to by their numbers: each chunk has all that are known so far. */
export class Sources {
  #latest: WireObject = {}

  read(chunk: WireObject): void {
    if (chunk['citations'] !== undefined || chunk['search_results'] !== undefined) this.#latest = chunk
  }

  get citations(): Citation[] {
    const { citations, search_results: results } = this.#latest
    const titles = titlesOf(results)
    const listed = Array.isArray(citations) ? citations : [...titles.keys()]
    return listed.filter((url) => typeof url === 'string').map((url) => citationOf(url, titles.get(url)))
  }
}

function titlesOf(results: unknown): ReadonlyMap<string, unknown> {
  const list = Array.isArray(results) ? results : []
  return new Map(
    list.flatMap((result: unknown) =>
      isJsonObject(result) && typeof result['url'] === 'string' ? [[result['url'], result['title']]] : [],
    ),
  )
}

function citationOf(url: string, title: unknown): Citation {
  return {
    type: 'citations_delta',
    citation: {
      type: 'web_search_result_location',
      url,
      title: typeof title === 'string' && title !== '' ? title : null,
      // Only Anthropic's own search knows these; clients want them to be there.
      cited_text: '',
      encrypted_index: '',
    },
  }
}
