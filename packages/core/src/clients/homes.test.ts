import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const HOME = 'packages/core/src/clients/'

/** What one client alone does, as it would be written into other code. */
const HABITS: Readonly<Record<string, RegExp>> = {
  'the billing line in the system prompt of Claude Code': /x-anthropic-billing-header|cc_version/,
  "the tags of Claude Code's reminders": /system-reminder/,
  "Claude Code's words for the date": /oday's date|# currentDate/,
  "Claude Code's headers": /x-claude-code-|['"]x-app['"]/,
  "Claude Code's calls at the start": /\/api\/hello|\/api\/event_logging/,
  'the words on which Claude Code compacts': /prompt is too long: \$\{|exceed context limit: \$\{/,
  "Claude Code's name for arguments that are no JSON": /__unparsedToolInput/,
  'the headers by which Codex is known': /['"]originator['"]|\^codex/,
  "the tag around what Cline adds to a user's turn": /environment_details/,
  'the names of Gemini CLI and Qwen Code in their user agents': /['"](?:GeminiCLI|QwenCode)/,
}

/** They play clients and providers themselves: with these words from the translator they would share its mistakes. */
const WITNESSES = ['packages/testkit/', 'apps/e2e/']

const sources = globSync(['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'], { cwd: ROOT }).filter(
  (path) =>
    !path.endsWith('.test.ts') &&
    !path.includes('node_modules') &&
    !WITNESSES.some((witness) => path.startsWith(witness)),
)

test.each(Object.entries(HABITS))('%s: written among the clients, and nowhere else', (_habit, pattern) => {
  const places = sources.filter((path) => pattern.test(readFileSync(join(ROOT, path), 'utf8')))
  expect(places.filter((path) => path.startsWith(HOME))).not.toEqual([])
  expect(places.filter((path) => !path.startsWith(HOME))).toEqual([])
})
