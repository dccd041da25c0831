export { eventually, settled, within } from './eventually.ts'
export { freePort } from './http/free-port.ts'
export { RawConnection, type RawRequest } from './http/raw-connection.ts'
export { collectEvents, type EventData, readEvents, type ServerEvent, textOf } from './http/server-event.ts'
export { type Scene, sceneExchange, sceneTape, spoken } from './scene-tape.ts'
export { closeServer } from './server/close-server.ts'
export { readmeServer } from './server/readme-server.ts'
export { type RunningServer, runServer, type ServerProgram } from './server/run-server.ts'
export {
  argumentsChunk,
  callChunk,
  chunk,
  DONE,
  finishChunk,
  textChunk,
  USAGE,
  usageChunk,
} from './upstream/chunks.ts'
export type { SeenRequest } from './upstream/seen-request.ts'
export { type Script, type ScriptedUpstream, startUpstream } from './upstream/start-upstream.ts'
export {
  body,
  cut,
  type Ending,
  event,
  EVENT_STREAM,
  hang,
  head,
  JSON_BODY,
  pause,
  raw,
  type Step,
} from './upstream/step.ts'
export {
  answer,
  cutAt,
  events,
  play,
  refuse,
  type ScriptedAnswer,
  type ScriptedCall,
  type Turn,
} from './upstream/turn.ts'
export { validateChatRequest } from './upstream/validate-chat-request.ts'
