import { isJsonObject } from '@hydra/core'
import { withoutBillingMark } from './canonical-body.ts'
import type { CanonicalRequest } from './canonical-request.ts'
import { isTurn } from './conversation.ts'
import { type FirstDifference, firstDifference } from './first-difference.ts'
import { bodyWithoutReminders, messageWithoutReminders } from './reminders.ts'

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

/** The first thing that keeps a request from being answered by a recording: what has to be the same goes before the rest. */
export function causeOf(recorded: CanonicalRequest, request: CanonicalRequest): FirstDifference | undefined {
  return (
    firstDifference(decisiveFields(recorded.body), decisiveFields(request.body)) ??
    differenceOf(recorded, request)
  )
}

function decisiveFields(body: unknown): unknown {
  if (!isJsonObject(body)) return undefined
  const { model, stream, messages } = body
  return { model, stream, messages: Array.isArray(messages) ? messages.map(decisivePart) : messages }
}

function decisivePart(message: unknown): unknown {
  if (isTurn(message)) return messageWithoutReminders(message)
  return isJsonObject(message) ? { role: message['role'] } : message
}

/** The fields at the top of a body that are not as recorded. */
export function differingFields(recorded: CanonicalRequest, request: CanonicalRequest): readonly string[] {
  const [expected, actual] = bodies(recorded, request)
  if (!isJsonObject(expected) || !isJsonObject(actual)) return []
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
  return [...names].filter((name) => firstDifference(expected[name], actual[name]) !== undefined)
}

/** With the mark of the billing line the places are those of the request; where only one has it, it would be the difference. */
function bodies(recorded: CanonicalRequest, request: CanonicalRequest): [unknown, unknown] {
  const [expected, actual] = [withoutBillingMark(recorded.body), withoutBillingMark(request.body)]
  const isInBoth = expected !== recorded.body && actual !== request.body
  return isInBoth ? [recorded.body, request.body] : [expected, actual]
}
