import type { TapeSession } from './session.ts'
import { agents } from './sessions/agents.ts'
import { claudeCode } from './sessions/claude-code.ts'
import { claudeCodeTeams } from './sessions/claude-code-teams.ts'
import { claudeCodeTrouble } from './sessions/claude-code-trouble.ts'
import { genai } from './sessions/genai.ts'
import { sdk } from './sessions/sdk.ts'
import { sdkTrouble } from './sessions/sdk-trouble.ts'

/** Every session that is recorded as a fixture. A new one is an object in one of these files. */
export const tapeSessions: readonly TapeSession[] = [
  ...claudeCode,
  ...claudeCodeTrouble,
  ...claudeCodeTeams,
  ...agents,
  ...sdk,
  ...sdkTrouble,
  ...genai,
]
