export { decodeError, decodeErrorPayload, isErrorPayload } from '../../errors/openai-error.ts'
