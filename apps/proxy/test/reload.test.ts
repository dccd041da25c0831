import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { beginStream, writeChunk } from './chat.ts'
import { closing } from './closing.ts'
import { eventually } from './eventually.ts'
import { startHydra } from './hydra.ts'
import { post } from './requests.ts'
import { configFile } from './temporary.ts'
import { startUpstream } from './upstream.ts'

const opened = closing()

function configOf(url: string, model: string): string {
  return JSON.stringify({ upstreams: { up: { url } }, routes: [{ upstream: 'up', model }] })
}

test.each([[[]], [['--workers', '2']]])(
  'a configuration that changes is read again, a bad one is refused, and no stream is dropped (%j)',
  async (args) => {
    const finish: (() => void)[] = []
    const upstream = await opened(
      startUpstream(({ body }, response) => {
        beginStream(response)
        writeChunk(response, { content: body.model })
        finish.push(() => {
          writeChunk(response, {}, 'stop')
          response.end('data: [DONE]\n\n')
        })
        // Only the first stream is held: a worker that still has the old settings answers all others as well.
        if (finish.length > 1) finish.at(-1)?.()
      }),
    )
    const file = configFile(configOf(upstream.url, 'old'))
    const hydra = await opened(startHydra(['--config', file, ...args]))
    const stream = await post(hydra, { stream: true })
    writeFileSync(file, configOf(upstream.url, 'new'))
    hydra.signal('SIGHUP')
    await eventually(() => hydra.output().includes('was read again') || undefined, 'the change')
    await eventually(
      async () => (await (await post(hydra)).text()).includes('"new"') || undefined,
      'the new model',
    )
    writeFileSync(file, '{ "routes": 1 }')
    hydra.signal('SIGHUP')
    await eventually(() => hydra.output().includes('the old one stays') || undefined, 'the refusal')
    expect(await (await post(hydra)).text()).toContain('"new"')
    // Without a signal, only by the file.
    writeFileSync(file, configOf(upstream.url, 'newest'))
    await eventually(
      async () => (await (await post(hydra)).text()).includes('"newest"') || undefined,
      'the newest',
    )
    for (const one of finish) one()
    expect(await stream.text()).toContain('event: message_stop')
  },
  20_000,
)
