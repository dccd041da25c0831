import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { callEvent, eventFrame, frame, joinedBytes, textEvent } from '../../../core/test/amazon-q/frames.ts'
import { ADDRESS, CANARIES, ODD_SECRET, PLAIN_SECRET } from '../../test/canaries.ts'
import { framePayloads } from '../../test/frame-payloads.ts'
import { createRedaction } from './redaction.ts'

const KEY = CANARIES['openai'] ?? ''
const REDACTION = createRedaction({ secrets: [PLAIN_SECRET, ODD_SECRET] })
const SECRETS = { KEY, PLAIN_SECRET, ODD_SECRET, ADDRESS }

function written(pieces: readonly Uint8Array[]): Buffer {
  const stream = REDACTION.forTape().stream()
  const pushed = pieces.map((piece) => stream.push(Buffer.from(piece).toString('latin1')))
  stream.end()
  expect(pushed.map(({ holders }) => holders)).toEqual(pushed.map(() => 0))
  return Buffer.from(pushed.map(({ text }) => text).join(''), 'latin1')
}

function inputsOf(bytes: Buffer): string {
  return framePayloads(bytes)
    .map((payload) => (JSON.parse(payload) as { input?: string }).input ?? '')
    .join('')
}

function cuts(text: string): readonly (readonly [string, string])[] {
  return Array.from({ length: text.length - 1 }, (_, at) => [text.slice(0, at + 1), text.slice(at + 1)])
}

describe.each(Object.entries(SECRETS))('%s', (_, secret) => {
  test('within a frame is covered, and the frame is valid', () => {
    const after = written([eventFrame(textEvent(`so ${secret} it is`)), eventFrame(textEvent('.'))])
    expect(framePayloads(after)[0]).toMatch(/^\{"content":"so ~[KE]1-*~ it is"\}$/)
  })

  test('cut between two pieces of a call’s input is covered, and all frames are valid', () => {
    for (const [first, last] of cuts(`so ${secret} it is`)) {
      const frames = [first, last].map((input) => eventFrame(callEvent('t_1', { input })))
      expect(inputsOf(written(frames))).toMatch(/^so ~[KE]1-*~ it is$/)
    }
  })

  test('in frames that are cut at any byte is covered as in whole ones', () => {
    const frames = joinedBytes(
      Array.from(`${secret} b`, (letter) => eventFrame(callEvent('t_1', { input: letter }))),
    )
    const whole = written([frames])
    expect(inputsOf(whole)).toMatch(/^~[KE]1-*~ b$/)
    for (let at = 1; at < frames.length; at += 7) {
      const after = written([frames.subarray(0, at), frames.subarray(at)])
      expect(after.equals(whole), `cut at ${at}`).toBe(true)
    }
  })

  test('in frames that are cut into small pieces is covered, and all frames are valid', () => {
    const frames = joinedBytes([
      eventFrame(callEvent('t_1', { input: `so ${secret.slice(0, 6)}` })),
      eventFrame(callEvent('t_1', { input: `${secret.slice(6)} it is` })),
    ])
    const count = Math.ceil(frames.length / 10)
    const after = written(
      Array.from({ length: count }, (_each, at) => frames.subarray(10 * at, 10 * at + 10)),
    )
    expect(inputsOf(after)).toMatch(/^so ~[KE]1-*~ it is$/)
  })

  test('in a header is covered without touching the lengths around it', () => {
    const bytes = frame(
      { ':message-type': 'error', ':error-message': `no ${secret}`, ['x'.repeat(60)]: 'y' },
      '',
    )
    const after = written([bytes])
    expect(framePayloads(after)).toEqual([''])
    expect(after.toString()).toMatch(/no ~[KE]1-*~/)
    expect(after.toString()).toContain(`<${'x'.repeat(60)}`)
  })
})

test('a frame without a secret is written as it came', () => {
  const bytes = eventFrame(textEvent('nothing of matter'))
  expect(written([bytes])).toEqual(Buffer.from(bytes))
})

test('a frame that did not fit its checksum does not fit it on the tape either', () => {
  const bytes = Buffer.from(eventFrame(textEvent(`my key is ${KEY}, `)))
  bytes.writeUInt32BE(bytes.readUInt32BE(bytes.length - 4) ^ 0x10, bytes.length - 4)
  const after = written([bytes])
  expect(after.toString('latin1')).not.toContain(KEY)
  expect(() => framePayloads(after)).toThrow('frame at 0')
})

test('a frame that is cut off, or is none, is covered all the same', () => {
  const bytes = eventFrame(textEvent(`my key is ${KEY}, and more of it`))
  expect(written([bytes.subarray(0, -12)]).toString('latin1')).not.toContain(KEY)
  const noFrame = Buffer.from(`\0\0\0\x05 my key is ${KEY}, and more`, 'latin1')
  expect(written([noFrame]).toString('latin1')).not.toContain(KEY)
  expect(written([noFrame.subarray(0, 20), noFrame.subarray(20)]).toString('latin1')).not.toContain(KEY)
})
