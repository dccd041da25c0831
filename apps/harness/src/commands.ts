import { chaosCommand } from './chaos/chaos-command.ts'
import type { Command } from './command.ts'
import { compareCommand } from './weigh/compare-command.ts'
import { driveCommand } from './drive/drive-command.ts'
import { driftCommand } from './drift/drift-command.ts'
import { forkCommand } from './fork/fork-command.ts'
import { importCommand } from './import/import-command.ts'
import { recordCommand } from './record/record-command.ts'
import { regressCommand } from './regress/regress-command.ts'
import { rerunCommand } from './rerun/rerun-command.ts'
import { scanCommand } from './scan/scan-command.ts'
import { serveCommand } from './serve/serve-command.ts'
import { showCommand } from './show/show-command.ts'
import { shrinkCommand } from './shrink/shrink-command.ts'
import { verifyCommand } from './verify/verify-command.ts'

/** All commands, in the order in which the help lists them: from the recording to what is done with it. */
export const COMMANDS: readonly Command[] = [
  recordCommand,
  serveCommand,
  driveCommand,
  rerunCommand,
  forkCommand,
  compareCommand,
  driftCommand,
  regressCommand,
  chaosCommand,
  shrinkCommand,
  showCommand,
  scanCommand,
  verifyCommand,
  importCommand,
]
