import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, expectPrinted } from '../expectations.ts'
import type { Scenario } from '../scenario.ts'
import { imagesOf, lastResults, rounds, toolNames } from '../upstream/conversation.ts'
import { LONG_TOOL, MCP_SERVER } from '../mcp-server.ts'

const SERVER_NAME = 'a-server-with-a-name-that-leaves-no-room'

/** A tool with a name that is longer than OpenAI allows, and with an image in its result. */
export const mcpTool: Scenario = {
  name: 'mcp-tool',
  title: 'an MCP tool with a name of more than 64 characters is called, and its image arrives',
  async play({ upstream, claude, folder }) {
    const file = join(folder, 'mcp.json')
    const server = { command: process.execPath, args: [MCP_SERVER] }
    await writeFile(file, JSON.stringify({ mcpServers: { [SERVER_NAME]: server } }))
    const fullName = `mcp__${SERVER_NAME}__${LONG_TOOL}`
    expect(fullName.length > 64, 'the name is not long enough')
    upstream.play(({ body }) => {
      if (rounds(body) > 0) return { text: `${lastResults(body).join()} with ${imagesOf(body).length} image` }
      const name = toolNames(body).find((tool) => tool.startsWith('mcp__'))
      if (name === undefined) return { text: `no MCP tool among ${toolNames(body).join(', ')}` }
      return { calls: [{ name, arguments: { word: 'hello' } }] }
    })
    const args = ['--strict-mcp-config', '--mcp-config', file, '--allowedTools', fullName]
    const outcome = await claude(['-p', 'call it', ...args], { env: { ENABLE_TOOL_SEARCH: 'false' } })
    expectPrinted(outcome, 'the server heard hello')
    expectPrinted(outcome, 'with 1 image')
  },
}
