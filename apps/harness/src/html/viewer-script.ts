import { EVENT_FUNCTIONS } from './viewer/events.ts'
import { LIST_FUNCTIONS } from './viewer/list.ts'
import { REQUEST_FUNCTIONS } from './viewer/requests.ts'
import { START_FUNCTIONS } from './viewer/start.ts'
import { STORY_FUNCTIONS } from './viewer/story.ts'
import { SUMMARY_FUNCTIONS } from './viewer/summary.ts'
import { TIMELINE_FUNCTIONS } from './viewer/timeline.ts'
import { TOOL_FUNCTIONS } from './viewer/tools.ts'

const FUNCTIONS = [
  ...TOOL_FUNCTIONS,
  ...SUMMARY_FUNCTIONS,
  ...STORY_FUNCTIONS,
  ...TIMELINE_FUNCTIONS,
  ...EVENT_FUNCTIONS,
  ...REQUEST_FUNCTIONS,
  ...LIST_FUNCTIONS,
  ...START_FUNCTIONS,
]

const START = `startViewer(document, window, {
  tools: makeTools(document),
  makeList,
  panels: [summaryPanel, storyPanel, notesPanel, timelinePanel, eventsPanel, requestsPanel, headsPanel],
})`

/**
 * The script of the page: the viewer's functions as they are written, one below the other. This way the viewer is
 * checked and formatted like all other code, and needs no bundler. So that it works, a function of the viewer calls
 * functions of its own file only; those of other files are handed to it.
 */
export function viewerScript(): string {
  return [...FUNCTIONS.map((part) => part.toString()), START].join('\n')
}
