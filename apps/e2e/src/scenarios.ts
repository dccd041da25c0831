import type { Scenario } from './scenario.ts'
import { bash } from './scenarios/bash.ts'
import { deferredTool } from './scenarios/deferred-tool.ts'
import { failingTool } from './scenarios/failing-tool.ts'
import { demo, hydraRun } from './scenarios/hydra-run.ts'
import { image, imageFile } from './scenarios/image.ts'
import { longHistory } from './scenarios/long-history.ts'
import { mcpTool } from './scenarios/mcp-tool.ts'
import { midwayClose, midwayError, midwayReset } from './scenarios/midway.ts'
import { compaction, overflow } from './scenarios/overflow.ts'
import { mixedTeam } from './scenarios/mixed-team.ts'
import { parallel } from './scenarios/parallel.ts'
import { rateLimit, unauthorized } from './scenarios/refusals.ts'
import { replay } from './scenarios/replay.ts'
import { resume } from './scenarios/resume.ts'
import { subagent } from './scenarios/subagent.ts'
import { text } from './scenarios/text.ts'
import { usage } from './scenarios/usage.ts'
import { webSearch } from './scenarios/web-search.ts'

/** Every scenario, in the order in which they are played. A new one is a file and a line here. */
export const scenarios: readonly Scenario[] = [
  text,
  usage,
  bash,
  parallel,
  failingTool,
  image,
  imageFile,
  mcpTool,
  deferredTool,
  webSearch,
  subagent,
  mixedTeam,
  resume,
  longHistory,
  midwayError,
  midwayClose,
  midwayReset,
  unauthorized,
  rateLimit,
  overflow,
  compaction,
  hydraRun,
  demo,
  replay,
]
