import { faultOfNode } from './supported-node.ts'

// Imported before undici, which on an older Node fails amid its own code and names nothing that helps.
const fault = faultOfNode(process.versions)
if (fault !== undefined) throw new Error(fault)
