/**
 * Freezes a value of JSON all the way down. A frozen value is the mark of one that lasts longer than its request:
 * whoever makes something of it may remember what.
 */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}
