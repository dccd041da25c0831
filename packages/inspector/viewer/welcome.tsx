import type { JSX } from 'preact'
import { gatewayUrl } from './gateway-url.ts'
import { Copy } from './text.tsx'

/** What somebody sees who has just started the proxy. */
export function Welcome(): JSX.Element {
  const url = gatewayUrl()
  const commands = [
    ['Claude Code', `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=any claude`],
    ['OpenAI’s SDKs', `OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=any`],
    ['Other agents', 'hydra run --list'],
  ] as const
  return (
    <div class="welcome">
      <h2>Waiting for the first call</h2>
      <p>
        Point an agent at this address. Its calls appear in the list as they begin, with what was asked, who
        answered, how long it took and what it cost.
      </p>
      <dl>
        {commands.map(([name, command]) => (
          <>
            <dt>{name}</dt>
            <dd>
              <code>{command}</code> <Copy label="Copy" text={() => command} />
            </dd>
          </>
        ))}
      </dl>
    </div>
  )
}
