export type { Bind, Binding, BoundServer } from './bind.ts'
export { conformanceSuite } from './conformance-suite.ts'
export { documentTests } from './documents.ts'
