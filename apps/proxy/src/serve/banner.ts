import { type GatewayOptions, LEAD_MARKER, type Route, type RouteMatch } from '@hydra/gateway'
import { shownAddress } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { cautionLines } from './caution-lines.ts'

/** What is printed when the proxy has started: where it listens, where requests go, and what to do next. */
export function banner(settings: Settings, url: string): string {
  const lines = [
    `hydra listens on ${url}${settings.workers > 1 ? ` with ${settings.workers} processes` : ''}`,
    ...cautionLines(settings),
    ...(settings.configFile === undefined ? [] : [`configuration: ${settings.configFile}`]),
    ...(settings.isDemo ? DEMO_LINES : []),
    ...routeLines(settings.gateway).map((line) => `  ${line}`),
    ...(settings.recording === undefined ? [] : [`recording to ${settings.recording.folder}`]),
    ...clientLines(settings, url),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const DEMO_LINES = [
  'No target is set, so the built-in demo model answers. It is a script.',
  'For a real model: OPENAI_API_KEY=… npx -y pnpm@12.18.0 start --model gpt-5.1',
  '  or one on this machine: npx -y pnpm@12.18.0 start --provider ollama --model qwen3-coder',
  "  or Claude itself, with the client's own login: npx -y pnpm@12.18.0 start --passthrough '*'",
]

/** Where requests pass, Claude Code needs its own credentials; elsewhere anything will do. */
function clientLines({ gateway }: Settings, url: string): string[] {
  const { routes, guard } = gateway
  if (!routes.some(({ passthrough }) => passthrough)) {
    const token = guard?.key === undefined ? 'any' : '<your key>'
    return [`Claude Code: ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${token} claude`]
  }
  const header = guard?.key === undefined ? '' : " ANTHROPIC_CUSTOM_HEADERS='x-hydra-key: <your key>'"
  const isLed = routes.some(({ match }) => match?.marker === LEAD_MARKER)
  const marker = isLed ? ` --append-system-prompt ${LEAD_MARKER}` : ''
  return [`Claude Code, with its own login: ANTHROPIC_BASE_URL=${url}${header} claude${marker}`]
}

/** The routes, one line each, in the order in which they are tried. */
export function routeLines({ routes, upstreams }: GatewayOptions): string[] {
  return routes.map((route) => {
    const url = upstreams[route.upstream]?.url
    const place =
      url === undefined ? 'the built-in demo model' : `${destination(route)} at ${shownAddress(url)}`
    const told = route.spoof === undefined ? '' : ` (told as ${route.spoof})`
    const fallbacks = (route.fallbacks ?? []).map(({ upstream, model }) =>
      `, then ${upstream} ${model ?? ''}`.trimEnd(),
    )
    return `${route.name}: ${condition(route.match)} → ${place}${told}${fallbacks.join('')}`
  })
}

function destination({ upstream, model, models, passthrough }: Route): string {
  if (passthrough) return `${upstream}, unchanged,`
  return `${upstream} ${model ?? (models === undefined ? '(same model)' : JSON.stringify(models))}`
}

function condition(match: RouteMatch | undefined): string {
  const parts = Object.entries(match ?? {}).map(([name, wanted]) => `${name} ${JSON.stringify(wanted)}`)
  return parts.length === 0 ? 'everything' : parts.join(' and ')
}
