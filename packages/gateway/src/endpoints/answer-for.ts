import type { Caller } from '@hydra/core'
import { clientCall } from '../exchange/client-call.ts'
import { generate } from '../exchange/generate.ts'
import { type Answer, json, notFound } from './answer.ts'
import { countTokens } from './count-tokens.ts'
import { listModels, showModel } from './models.ts'

/** How what a client calls for is answered. */
export function answerFor<Native>({ endpoint }: Caller): Answer<Native> {
  switch (endpoint?.purpose) {
    case 'generate':
      return generate
    case 'count':
      return json(countTokens)
    case 'models':
      return json((exchange, { options }) => listModels(exchange, options))
    case 'model':
      return json((exchange, { options }) => showModel(exchange, options))
    case 'own':
      return json(async (exchange, context) =>
        endpoint.answer(await clientCall(exchange, context, undefined)),
      )
    case undefined:
      return notFound
  }
}
