/** The suggestion for a misspelt name; none if no name is near. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const meant = nearest(word, names)
  return meant === undefined ? undefined : `did you mean '${meant}'?`
}

/** The name that was most likely meant, by its edit distance; none if no name is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: name.startsWith(word) ? 0 : distance(word, name) }))
    .toSorted((one, other) => one.distance - other.distance)
  const [best] = ranked
  return best !== undefined && best.distance <= Math.max(1, Math.floor(best.name.length / 3))
    ? best.name
    : undefined
}

/** How many letters must be added, removed, replaced or swapped with their neighbour. */
function distance(from: string, to: string): number {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let index = 1; index <= from.length; index += 1) {
    const next = [index]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[index - 1] === to[column - 1]
      const isSwapped = from[index - 1] === to[column - 2] && from[index - 2] === to[column - 1]
      next.push(
        Math.min(
          at(row, column) + 1,
          at(next, column - 1) + 1,
          at(row, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(before, column - 2) + 1 : Infinity,
        ),
      )
    }
    before = row
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}
