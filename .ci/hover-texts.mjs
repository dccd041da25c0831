// Whether editors have words to show for each key of a configuration and of a gateway's options: TypeScript leaves out
// the comments of another file when it writes a type out in declarations instead of naming it. Run in a folder with the
// packed packages and TypeScript 5.
import { writeFileSync } from 'node:fs'
import ts from 'typescript'

// Parts with an interface of their own are programs, and no keys.
const FILE = 'hover-texts.check.mts'
writeFileSync(
  FILE,
  `import type { HydraOptions } from '@hydra/gateway'
import type { Config } from '@hydra/proxy/config'
type Programs = 'observers' | 'traffic' | 'inspector' | 'prices' | 'transport' | 'limiter' | 'rests' | 'memory'
export type Configuration = Config
export type Options = Omit<HydraOptions, Programs>
`,
)

const MAX_DEPTH = 8

const program = ts.createProgram([FILE], {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2024,
  strict: true,
  noEmit: true,
  types: ['node'],
})
const checker = program.getTypeChecker()
const source = program.getSourceFile(FILE)
const seen = new Set()
const silent = new Set()

/** Looks at the keys of a type, and at those of their values. */
function look(type, path, above = []) {
  if (above.includes(type) || above.length > MAX_DEPTH) return
  const below = [...above, type]
  if (type.isUnion()) return type.types.forEach((one) => look(one, path, below))
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return
  if (type.getCallSignatures().length > 0) return
  if (checker.isArrayType(type))
    return checker.getTypeArguments(type).forEach((one) => look(one, `${path}[]`, below))
  for (const index of checker.getIndexInfosOfType(type)) look(index.type, `${path}.*`, below)
  for (const key of checker.getPropertiesOfType(type).filter(isOurs)) {
    const name = `${path}.${key.name}`
    seen.add(name)
    if (key.getDocumentationComment(checker).length === 0) silent.add(name)
    look(checker.getTypeOfSymbolAtLocation(key, source), name, below)
  }
}

/** Methods and private members are no keys, and what the language brings is not ours. */
function isOurs({ flags, declarations: [declaration] = [], name }) {
  if (flags & ts.SymbolFlags.Method || name === '#private') return false
  return declaration?.getSourceFile().fileName.includes('/@hydra/') === true
}

const faults = ts
  .getPreEmitDiagnostics(program)
  .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
for (const node of source.statements.filter(ts.isTypeAliasDeclaration)) {
  if (node.name.text !== 'Programs') look(checker.getTypeAtLocation(node), node.name.text)
}
// Fewer would say that the check has lost its way.
if (seen.size < 150) faults.push(`only ${seen.size} keys were found`)
faults.push(...[...silent].map((name) => `nothing is said of ${name}`))
console.log(faults.length === 0 ? `editors have words for all ${seen.size} keys` : faults.join('\n'))
process.exitCode = faults.length === 0 ? 0 : 1
