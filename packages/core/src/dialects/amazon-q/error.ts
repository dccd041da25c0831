export { decodeError, decodeErrorPayload, isErrorPayload } from '../../errors/aws-error.ts'
