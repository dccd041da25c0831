import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRedaction, createTapeRecorder, readTape, type Tape, verifyTape } from '@hydra/tape'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { answer } from '../upstream/turn.ts'
import type { Bind } from './bind.ts'
import { askStream, askWhole } from './client.ts'
import { stage, UPSTREAM_KEY } from './scene.ts'

/** What passes through the adapter can be recorded, whatever the framework. */
export function recordingTests(bind: Bind): void {
  test.each([true, false])(
    'both legs are on the tape, byte for byte (parsed body: %s)',
    async (parsesBody) => {
      const folder = mkdtempSync(join(tmpdir(), 'hydra-recording-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      const traffic = createTapeRecorder({
        folder,
        redaction: createRedaction({ secrets: [UPSTREAM_KEY] }),
        tool: 'test/1',
        onProblem: (message) => expect.unreachable(message),
      })
      onTestFinished(() => traffic.close())
      const script = answer({ text: 'Hello 🐉, what is new?' })
      const { url, upstream, reports } = await stage(bind, script, { parsesBody, gateway: { traffic } })
      const streamed = await (await askStream(url)).text()
      const whole = await (await askWhole(url)).text()
      await eventually(() => reports.length === 2, 'two reports')
      await eventually(() => isComplete(tapeIn(folder, traffic)), 'a complete tape')
      const tape = tapeIn(folder, traffic)
      expect(verifyTape(tape)).toEqual([])
      const answers = tape.exchanges.map(({ answer: given }) =>
        textOf(given.chunks.map(({ bytes }) => bytes)),
      )
      expect(answers).toEqual([streamed, whole])
      expect(JSON.stringify(tape)).not.toContain(UPSTREAM_KEY)
      const sent = tape.exchanges.map(({ calls }) =>
        JSON.parse(textOf([calls[0]?.request.body ?? new Uint8Array()])),
      )
      expect(sent).toEqual(upstream.seen.map(({ body }) => body))
    },
  )
}

type Recorder = ReturnType<typeof createTapeRecorder>

function tapeIn(folder: string, recorder: Recorder): Tape {
  recorder.flush()
  const name = readdirSync(folder).find((entry) => entry !== '.gitignore')
  return readTape(join(folder, name ?? ''))
}

function isComplete({ exchanges }: Tape): boolean {
  return exchanges.length === 2 && exchanges.every(({ end }) => end !== undefined)
}

function textOf(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString()
}
