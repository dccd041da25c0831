import { expect, test } from 'vitest'
import { registry } from '../registry.ts'
import { Router } from '../router.ts'

const ROUTER = new Router(registry)

test.each(['/v1/responses', '/responses', '/openai/v1/responses', '/openai/responses'])(
  'POST %s is an endpoint of Responses',
  (path) => {
    const { dialect, endpoint } = ROUTER.find({ method: 'POST', path, headers: {} })
    expect([dialect, endpoint?.purpose]).toEqual(['openai-responses', 'generate'])
  },
)
