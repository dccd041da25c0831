import type { QConversation, QEntry, QToolResult, QUserMessage } from '../../src/dialects/amazon-q/wire.ts'

/** What is wrong with a conversation by the rules of the format, stated apart from the code that keeps them. */
export function faultsOf({ history, currentMessage }: QConversation): string[] {
  const turns: readonly QEntry[] = [...history, currentMessage]
  return [
    ...sideFaults(turns),
    ...pairFaults(turns),
    ...placeFaults(history, currentMessage.userInputMessage),
  ]
}

function sideFaults(turns: readonly QEntry[]): string[] {
  return turns.flatMap((turn, index) => {
    const isUser = 'userInputMessage' in turn
    const faults: string[] = []
    if (Object.keys(turn).length !== 1) faults.push(`turn ${index} is of several sides`)
    if (isUser !== (index % 2 === 0)) faults.push(`turn ${index} is of the wrong side`)
    if (isSilent(turn)) faults.push(`turn ${index} says nothing`)
    return faults
  })
}

function isSilent(turn: QEntry): boolean {
  if ('assistantResponseMessage' in turn) {
    const { content, toolUses = [] } = turn.assistantResponseMessage
    return content === '' && toolUses.length === 0
  }
  const { content, images = [] } = turn.userInputMessage
  return content === '' && images.length === 0 && resultsOf(turn.userInputMessage).length === 0
}

/** Each call is answered in the turn after its own, once and in the order of the calls; nothing else is. */
function pairFaults(turns: readonly QEntry[]): string[] {
  const calls = turns.map((turn) => callIdsOf(turn))
  return [
    ...idFaults(calls.flat()),
    ...turns.flatMap((turn, index) => answerFaults(turn, index, calls[index - 1])),
  ]
}

function callIdsOf(turn: QEntry): string[] {
  if (!('assistantResponseMessage' in turn)) return []
  return (turn.assistantResponseMessage.toolUses ?? []).map(({ toolUseId }) => toolUseId)
}

function idFaults(ids: readonly string[]): string[] {
  const illegal = ids
    .filter((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id))
    .map((id) => `the id ${id} is not legal`)
  return new Set(ids).size === ids.length ? illegal : [...illegal, 'two calls have the same id']
}

function answerFaults(turn: QEntry, index: number, awaited: readonly string[] = []): string[] {
  if (!('userInputMessage' in turn)) return []
  const answered = resultsOf(turn.userInputMessage)
  const faults: string[] = []
  if (answered.map(({ toolUseId }) => toolUseId).join() !== awaited.join())
    faults.push(`turn ${index} answers other calls than those before it`)
  if (answered.some(({ content }) => content.length === 0 || content.some(({ text }) => text === '')))
    faults.push(`turn ${index} has a result that says nothing`)
  return faults
}

function placeFaults(history: readonly QEntry[], current: QUserMessage): string[] {
  const faults = history.flatMap((entry, index) => {
    if (!('userInputMessage' in entry)) return []
    const { userInputMessageContext: context, modelId } = entry.userInputMessage
    return context?.tools === undefined && modelId === undefined
      ? []
      : [`entry ${index} has tools or a model`]
  })
  if (current.modelId === undefined) faults.push('the current message names no model')
  for (const { toolSpecification: tool } of current.userInputMessageContext?.tools ?? []) {
    if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)) faults.push(`the tool name ${tool.name} is not legal`)
    if (tool.description === '') faults.push(`the tool ${tool.name} has no description`)
  }
  return faults
}

function resultsOf({ userInputMessageContext: context }: QUserMessage): readonly QToolResult[] {
  return context?.toolResults ?? []
}
