import cluster from 'node:cluster'
import {
  createInspectorHub,
  createInspectorMember,
  DEFAULT_LIMITS,
  type FromMember,
  type InspectorHub,
  type InspectorMember,
  type ToMember,
} from '@hydra/inspector'
import type { Redaction } from '@hydra/tape'
import type { Settings } from '../settings/read-settings.ts'

/** What processes say to one another about exchanges. */
interface InspectorMessage<Message> {
  readonly inspector: Message
}

/** In a worker: keeps its part of the exchanges, which the first process shows with those of the others. */
export function workerInspector({ workers }: Settings): InspectorMember {
  const limits = { exchanges: DEFAULT_LIMITS.exchanges, bytes: Math.floor(DEFAULT_LIMITS.bytes / workers) }
  const member = createInspectorMember((message, onSent) => {
    const envelope: InspectorMessage<FromMember> = { inspector: message }
    // Without the first process there is nobody to look.
    if (process.connected) process.send?.(envelope, undefined, {}, () => onSent?.())
  }, limits)
  process.on('message', (message) => {
    if (isAboutExchanges<ToMember>(message)) member.receive(message.inspector)
  })
  return member
}

/** In the first process: one page for the exchanges of all workers. */
export function inspectorOfWorkers({ recording }: Settings, redaction: Redaction): InspectorHub {
  const options = { redaction, tapes: recording?.folder }
  const hub = createInspectorHub(options, (id, message) => {
    const envelope: InspectorMessage<ToMember> = { inspector: message }
    const worker = cluster.workers?.[id]
    if (worker?.isConnected() === true) worker.send(envelope, () => {})
  })
  cluster.on('listening', ({ id }) => hub.join(String(id)))
  cluster.on('exit', ({ id }) => hub.leave(String(id)))
  cluster.on('message', ({ id }, message) => {
    if (isAboutExchanges<FromMember>(message)) hub.receive(String(id), message.inspector)
  })
  return hub
}

function isAboutExchanges<Message>(message: unknown): message is InspectorMessage<Message> {
  return typeof message === 'object' && message !== null && 'inspector' in message
}
