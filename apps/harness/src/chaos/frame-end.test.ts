import { expect, test } from 'vitest'
import {
  callEvent,
  endEvent,
  eventFrame,
  exceptionFrame,
  frame,
  textEvent,
} from '../../../../packages/core/test/amazon-q/frames.ts'
import { endsWhole, upstreamEndOf } from './upstream-end.ts'

const TEXT = eventFrame(textEvent('Hi'))
const END = eventFrame(endEvent())
const CALL = eventFrame(callEvent('a', { input: '{}' }))
const CALL_END = eventFrame(callEvent('a', { stop: true }))
const WHOLE = [eventFrame(['messageMetadataEvent', {}]), TEXT, END]

const endOf = (...frames: readonly Uint8Array[]): unknown => upstreamEndOf(Buffer.concat(frames), 'amazon-q')
const isWhole = (...frames: readonly Uint8Array[]): boolean => endsWhole(Buffer.concat(frames), 'amazon-q')
const NEVER = { at: Infinity, isFollowed: false }

test('an answer of frames ends with its metadata', () => {
  const { length } = Buffer.concat(WHOLE)
  expect(endOf(...WHOLE)).toEqual({ at: length, isFollowed: false })
  expect(endOf(...WHOLE, eventFrame(['meteringEvent', {}]))).toEqual({ at: length, isFollowed: false })
})

test('an answer that is cut, or whose end is missing, has none', () => {
  const whole = Buffer.concat(WHOLE)
  for (let length = 0; length < whole.length; length += 1) {
    expect(upstreamEndOf(whole.subarray(0, length), 'amazon-q').at).toBe(Infinity)
  }
  expect(endOf(TEXT, TEXT)).toEqual(NEVER)
})

test('more of the answer behind its end takes that back, until it ends again', () => {
  expect(endOf(...WHOLE, TEXT)).toMatchObject({ isFollowed: true, isTakenBack: true })
  expect(endOf(END, TEXT)).toMatchObject({ isTakenBack: true })
  expect([isWhole(...WHOLE, TEXT), isWhole(...WHOLE, TEXT, END), isWhole(TEXT, END, END)]).toEqual([
    false,
    true,
    true,
  ])
})

test('an exception is no end, and takes back the one before it', () => {
  const exception = exceptionFrame('ThrottlingException', {})
  const error = frame({ ':message-type': 'error', ':error-code': 'Internal' }, '')
  for (const failure of [exception, error, eventFrame(['invalidStateEvent', {}])]) {
    expect(isWhole(TEXT, failure)).toBe(false)
    expect(isWhole(TEXT, failure, END)).toBe(false)
    expect(isWhole(TEXT, END, failure)).toBe(false)
  }
})

test('a call that was not finished leaves no end, unless the model was stopped in it', () => {
  expect(isWhole(CALL, CALL_END, END)).toBe(true)
  expect(isWhole(CALL, END)).toBe(false)
  expect(isWhole(CALL, eventFrame(endEvent('MAX_TOKENS')))).toBe(true)
})

test('a changed byte breaks its frame, wherever it is', () => {
  const whole = Buffer.concat(WHOLE)
  for (let at = 0; at < whole.length; at += 1) {
    const changed = Buffer.from(whole)
    changed.writeUInt8(whole.readUInt8(at) ^ 1, at)
    expect(endsWhole(changed, 'amazon-q'), `byte ${at}`).toBe(false)
  }
})
