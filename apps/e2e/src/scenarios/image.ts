import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectPrinted } from '../expectations.ts'
import { PNG } from '../png.ts'
import type { Scenario } from '../scenario.ts'
import { imagesOf, rounds } from '../upstream/conversation.ts'

const STREAM_JSON = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']

/** An image that the user sends. */
export const image: Scenario = {
  name: 'image',
  title: 'an image in the prompt reaches the model as a data URL',
  async play({ upstream, claude }) {
    upstream.play(({ body }) => ({ text: `images: ${kinds(imagesOf(body))}` }))
    const content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      { type: 'text', text: 'what is this' },
    ]
    const input = `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
    expectPrinted(await claude(['-p', ...STREAM_JSON], { input }), 'images: data:image/png;base64')
  },
}

/** An image that a tool finds: results cannot hold it, so it follows them. */
export const imageFile: Scenario = {
  name: 'image-file',
  title: 'an image that a tool reads reaches the model after the result',
  async play({ upstream, claude, folder }) {
    const file = join(folder, 'dot.png')
    await writeFile(file, Buffer.from(PNG, 'base64'))
    upstream.play(({ body }) =>
      rounds(body) === 0
        ? { calls: [{ name: 'Read', arguments: { file_path: file } }] }
        : { text: `images: ${kinds(imagesOf(body))}` },
    )
    expectPrinted(await claude(['-p', 'look at dot.png', '--allowedTools', 'Read']), 'images: data:image/')
  },
}

function kinds(urls: readonly string[]): string {
  return urls.map((url) => url.split(',', 1)[0]).join(' ')
}
