/** Maps a list and returns the same list when no item changed, so that the usual case copies nothing. */
export function mapChanged(
  list: readonly unknown[],
  change: (item: unknown, index: number) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined
  for (let index = 0; index < list.length; index++) {
    const changed = change(list[index], index)
    if (changed === list[index]) continue
    copy ??= list.slice()
    copy[index] = changed
  }
  return copy ?? list
}
