export { columns, type Help, helpText } from './help-text.ts'
export { didYouMean } from './nearest.ts'
export {
  type Grammar,
  type LeadingOptions,
  leadingOptions,
  oneOf,
  type OptionSpec,
  type OptionTable,
  type OptionValues,
  parseArguments,
  type ParsedArguments,
  parseLeadingOptions,
  takeOptions,
  wholeNumber,
} from './parse-arguments.ts'
export { programName, proxyName, quotedWord } from './program-name.ts'
export { type Command, commandLines, type Program, runProgram, type Terminal } from './run-program.ts'
export { type Environment, typedFolder, typedPath, workingFolder } from './typed-path.ts'
export { UsageError } from './usage-error.ts'
export { shortened, unitsOf, visibleJson, visibleLine, visibleText } from './visible-text.ts'
