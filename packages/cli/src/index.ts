export { columns, type Help, helpText } from './help-text.ts'
export { didYouMean } from '@hydra/core/did-you-mean'
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
export { inClone, programName, proxyName, quotedWord } from './program-name.ts'
export { reportCrashes } from './report-crashes.ts'
export { type ProcessToRun, runProcess } from './run-process.ts'
export { type Command, commandLines, type Program, runProgram, type Terminal } from './run-program.ts'
export { starterSignal } from './starter-signal.ts'
export { type Environment, typedFolder, typedPath, workingFolder } from './typed-path.ts'
export { UsageError } from './usage-error.ts'
export { shortened, unitsOf, visibleJson, visibleJsonText, visibleLine, visibleText } from './visible-text.ts'
export { userEnvironment } from './user-environment.ts'
export { versionLine } from './version-line.ts'
