const SNAKES = new Map<string, string>()

/** The other spelling of one of Google's names, which are written in camel case here: there are only so many. */
export function snakeOf(name: string): string {
  let snake = SNAKES.get(name)
  if (snake === undefined) {
    snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    SNAKES.set(name, snake)
  }
  return snake
}

/** A name of a request in camel case, whichever spelling it has. */
export function camelOf(name: string): string {
  if (!name.includes('_')) return name
  return name.replaceAll(/_([a-z])/g, (_underscore, letter: string) => letter.toUpperCase())
}
