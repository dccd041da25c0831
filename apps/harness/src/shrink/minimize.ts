/** Whether what is left of a list still shows what is looked for. */
export type StillShows<Item> = (items: readonly Item[]) => Promise<boolean>

/**
 * The shortest list that can be had by leaving out parts, larger ones first (delta debugging): leaving out any single
 * item more would lose what is looked for.
 */
export async function minimize<Item>(
  items: readonly Item[],
  stillShows: StillShows<Item>,
): Promise<readonly Item[]> {
  let kept = items
  let size = Math.ceil(items.length / 2)
  while (size >= 1 && kept.length > 0) {
    // oxlint-disable-next-line no-await-in-loop -- each try depends on the one before
    const smaller = await withoutOnePart(kept, size, stillShows)
    if (smaller !== undefined) kept = smaller
    else if (size === 1) return kept
    size = smaller === undefined ? Math.ceil(size / 2) : Math.min(size, Math.ceil(kept.length / 2))
  }
  return kept
}

async function withoutOnePart<Item>(
  items: readonly Item[],
  size: number,
  stillShows: StillShows<Item>,
): Promise<readonly Item[] | undefined> {
  for (let at = 0; at < items.length; at += size) {
    const rest = items.toSpliced(at, size)
    // oxlint-disable-next-line no-await-in-loop -- the first that still shows it is taken
    if (await stillShows(rest)) return rest
  }
  return undefined
}
