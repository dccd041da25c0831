import { expect, test } from 'vitest'
import { loadVitest } from './load-vitest.ts'

test('a project without vitest is told what to install', async () => {
  await expect(loadVitest(() => Promise.reject(new Error('missing')))).rejects.toThrow(
    '@hydra/tape/vitest needs vitest 3 or newer: npm install --save-dev vitest; for other test runners use @hydra/tape/test',
  )
})
