const lasting = new WeakSet<object>()

/**
 * Marks a value of JSON, all the way down, as one that comes again as the very same object: the tools of an agent,
 * which it sends with every request. What is made of it may be remembered by its identity. It is frozen, because all
 * requests that bring it share it.
 */
export function markLasting<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || lasting.has(value)) return value
  for (const member of Object.values(value)) markLasting(member)
  lasting.add(value)
  return Object.freeze(value)
}

/** Whether a value was marked. */
export function isLasting(value: unknown): boolean {
  return typeof value === 'object' && value !== null && lasting.has(value)
}
