import type { HubRequest } from '../../hub/request.ts'
import type { EncodedRequest, Target } from '../dialect.ts'

/** Turns a hub request into a body that the target accepts, with notes on everything that had to change. */
export function encodeRequest(_request: HubRequest, _target: Target): EncodedRequest {
  throw new Error('openai-responses: requests are not encoded yet')
}
