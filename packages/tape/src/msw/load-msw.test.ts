import { expect, test } from 'vitest'
import { loadMsw } from './load-msw.ts'

test('a project without msw is told what to install', async () => {
  await expect(loadMsw(() => Promise.reject(new Error("Cannot find package 'msw'")))).rejects.toThrow(
    '@hydra/tape/msw needs msw 2.10 or newer: npm install --save-dev msw',
  )
})

test('a project with the msw of before version 2 is told so', async () => {
  await expect(loadMsw(() => Promise.resolve({}))).rejects.toThrow('an older one is installed')
})
