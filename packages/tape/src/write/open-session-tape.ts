import type { Redaction } from '../redact/redaction.ts'
import { createTape } from './create-tape.ts'
import { lastMarkNumber } from './last-mark-number.ts'
import type { OpenTape } from './open-tapes.ts'
import { reopenTape } from './reopen-tape.ts'
import { makeRecordingsFolder, newTapeFolder, tapesOfSession } from './tape-folder.ts'
import type { TapedClient } from './traffic.ts'

/** How the tapes of a recorder are written. */
export interface SessionTapes {
  /** The folder that the tapes go into. */
  readonly folder: string
  readonly redaction: Redaction
  readonly tool: string
  /** The folder that the recorded program works in, if that is known. */
  readonly workspace?: string
  readonly gather: number
  /** The time in microseconds since the epoch. */
  readonly now: () => number
  readonly onProblem: (message: string) => void
}

/** Opens the tape of a client's session: the one that was begun before a restart, or a new one. May throw. */
export function openSessionTape(client: TapedClient, tapes: SessionTapes): OpenTape {
  // It may have been removed since the start.
  makeRecordingsFolder(tapes.folder)
  return reopen(client, tapes) ?? create(client, tapes)
}

function create(
  client: TapedClient,
  { folder, redaction, tool, workspace, gather, now, onProblem }: SessionTapes,
): OpenTape {
  const rules = redaction.forTape()
  const started = now()
  const header = {
    tool,
    client: rules.text(client.name),
    ...(client.session === undefined ? {} : { session: rules.text(client.session) }),
    ...(workspace === undefined ? {} : { workspace: rules.text(workspace) }),
    redaction: redaction.name,
  }
  const tapeFolder = newTapeFolder(folder, client, started)
  const writer = createTape({ folder: tapeFolder, header, started, onProblem, gather })
  return { writer, redaction: rules, running: 0 }
}

function reopen(
  client: TapedClient,
  { folder, redaction, gather, onProblem }: SessionTapes,
): OpenTape | undefined {
  if (client.session === undefined) return undefined
  const session = redaction.forTape().text(client.session)
  for (const tapeFolder of tapesOfSession(folder, client, session)) {
    const writer = reopenTape({ folder: tapeFolder, onProblem, gather })
    const last = lastMarkNumber(tapeFolder)
    if (writer !== undefined) return { writer, redaction: redaction.forTape(last), running: 0 }
  }
  return undefined
}
