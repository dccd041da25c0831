import { inClone } from '@hydra/cli'
import { anthropic, openaiChat } from '@hydra/core'
import { type GatewayOptions, LEAD_MARKER, type Route, type RouteMatch } from '@hydra/gateway'
import { clientLine } from '../run/client-line.ts'
import { inspectorUrl, shownAddress } from '../settings/address.ts'
import type { Settings } from '../settings/read-settings.ts'
import { cautionLines } from './caution-lines.ts'
import { asksForKey } from './open-door.ts'

/** What is printed when the proxy has started: where it listens, where requests go, and what to do next. */
export function banner(settings: Settings, url: string): string {
  const lines = [
    `hydra listens on ${url}${settings.workers > 1 ? ` with ${settings.workers} processes` : ''}`,
    ...cautionLines(settings),
    ...(settings.configFile === undefined ? [] : [`configuration: ${settings.configFile}`]),
    ...(settings.isDemo ? DEMO_LINES : []),
    ...routeLines(settings.gateway).map((line) => `  ${line}`),
    ...(mayLook(settings) ? [`see what happens: ${inspectorUrl(url)}`] : []),
    ...(settings.recording === undefined ? [] : [`recording to ${settings.recording.folder}`]),
    ...(settings.metrics ? [`metrics: ${url}/metrics`] : []),
    ...clientLines(settings, url),
    ...otherClientLines(settings, url),
  ]
  return inClone(lines.map((line) => `${line}\n`).join(''), process.env)
}

/** No client of a team may see what the others do: it takes a key that all share. */
function mayLook({ inspector, team, gateway }: Settings): boolean {
  return inspector && (team === undefined || gateway.guard?.key !== undefined)
}

const DEMO_LINES = [
  'No target is set, so the built-in demo model answers. It is a script.',
  'For a real model: OPENAI_API_KEY=… hydra serve --model gpt-5.1',
  '  or one on this machine: hydra serve --provider ollama --model qwen3-coder',
  "  or Claude itself, with the client's own login: hydra serve --passthrough '*'",
]

/** Where requests pass, Claude Code needs its own credentials; elsewhere anything will do. */
function clientLines(settings: Settings, url: string): string[] {
  const { routes } = settings.gateway
  if (!routes.some(({ passthrough }) => passthrough)) {
    return [clientLine(anthropic.name, url, shownKey(settings))]
  }
  const header = !asksForKey(settings) ? '' : " ANTHROPIC_CUSTOM_HEADERS='x-hydra-key: <your key>'"
  const isLed = routes.some(({ match }) => match?.marker === LEAD_MARKER)
  const marker = isLed ? ` --append-system-prompt ${LEAD_MARKER}` : ''
  return [`Claude Code, with its own login: ANTHROPIC_BASE_URL=${url}${header} claude${marker}`]
}

function shownKey(settings: Settings): string {
  return asksForKey(settings) ? '<your key>' : 'any'
}

function otherClientLines(settings: Settings, url: string): string[] {
  return [
    clientLine(openaiChat.name, url, shownKey(settings)),
    'Codex, opencode and other agents: hydra run --list',
  ]
}

/** The routes, one line each, in the order in which they are tried. */
export function routeLines({ routes, upstreams }: GatewayOptions): string[] {
  return routes.map((route) => {
    const url = upstreams[route.upstream]?.url
    const place =
      url === undefined ? 'the built-in demo model' : `${destination(route)} at ${shownAddress(url)}`
    const alias = route.spoof === undefined ? '' : ` (told as ${route.spoof})`
    const fallbacks = (route.fallbacks ?? []).map(({ upstream, model }) =>
      `, then ${upstream} ${model ?? ''}`.trimEnd(),
    )
    return `${route.name}: ${condition(route.match)} → ${place}${alias}${fallbacks.join('')}`
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
