import { expect, test } from 'vitest'
import { helpText } from './help-text.ts'

test('the help shows every option of the table, with its value and its variable', () => {
  const text = helpText({
    title: 'hydra serve: run the proxy',
    usage: ['hydra serve [options]'],
    about: 'It runs until it is stopped.',
    options: {
      port: { type: 'string', short: 'p', value: 'N', text: 'the port', variable: 'HYDRA_PROXY_PORT' },
      insecure: { type: 'boolean', text: 'without a key' },
    },
    sections: { Providers: ['openai'] },
    examples: ['hydra serve -p 1'],
  })
  expect(text).toBe(`hydra serve: run the proxy

Usage
  hydra serve [options]

It runs until it is stopped.

Options
  -p, --port N    the port  [HYDRA_PROXY_PORT]
      --insecure  without a key
  -h, --help      this text

Providers
  openai

Examples
  hydra serve -p 1
`)
})
