import { withoutBillingMark } from './canonical-body.ts'
import type { CanonicalRequest } from './canonical-request.ts'
import { type FirstDifference, firstDifference, isRecord } from './first-difference.ts'
import { bodyWithoutReminders } from './reminders.ts'

/** The first thing in which a request is not the recorded one; a reminder of the client only if there is nothing else. */
export function differenceOf(
  recorded: CanonicalRequest,
  request: CanonicalRequest,
): FirstDifference | undefined {
  const [expected, actual] = bodies(recorded, request)
  return (
    firstDifference(recorded.query, request.query, 'query') ??
    firstDifference(bodyWithoutReminders(expected), bodyWithoutReminders(actual)) ??
    firstDifference(expected, actual)
  )
}

/** The fields at the top of a body that are not as recorded. */
export function differingFields(recorded: CanonicalRequest, request: CanonicalRequest): readonly string[] {
  const [expected, actual] = bodies(recorded, request)
  if (!isRecord(expected) || !isRecord(actual)) return []
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].filter((name) => firstDifference(expected[name], actual[name]) !== undefined)
}

/** With the mark of the billing line the places are those of the request; where only one has it, it would be the difference. */
function bodies(recorded: CanonicalRequest, request: CanonicalRequest): [unknown, unknown] {
  const [expected, actual] = [withoutBillingMark(recorded.body), withoutBillingMark(request.body)]
  const isInBoth = expected !== recorded.body && actual !== request.body
  return isInBoth ? [recorded.body, request.body] : [expected, actual]
}
