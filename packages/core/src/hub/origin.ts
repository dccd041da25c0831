const origins = new WeakMap<object, string>()

/** Remembers where a client wrote something, if its dialect has other words for that place than the hub. */
export function cameFrom<Value extends object>(value: Value, path: string): Value {
  origins.set(value, path)
  return value
}

/** Where the client wrote something; undefined where that is the place that it has in the hub. */
export function originOf(value: object): string | undefined {
  return origins.get(value)
}
