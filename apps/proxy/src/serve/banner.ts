import type { GatewayOptions, Route, RouteMatch } from '@hydra/gateway'
import type { Settings } from '../settings/settings.ts'

/** What is printed when the proxy has started: where it listens, where requests go, and what to do next. */
export function banner(settings: Settings, url: string): string {
  const lines = [
    `hydra listens on ${url}`,
    ...(settings.configFile === undefined ? [] : [`configuration: ${settings.configFile}`]),
    ...(settings.isDemo ? demoLines() : []),
    ...routeLines(settings.gateway).map((line) => `  ${line}`),
    `Claude Code: ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${settings.gateway.guard?.key === undefined ? 'any' : '<your key>'} claude`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function demoLines(): string[] {
  return [
    'No key and no target are set, so the built-in demo model answers. It is a script.',
    'For a real model: OPENAI_API_KEY=… npx -y pnpm@12.18.0 start --model gpt-5.1',
    '  or one on this machine: npx -y pnpm@12.18.0 start --provider ollama --model qwen3-coder',
  ]
}

/** The routes, one line each, in the order in which they are tried. */
export function routeLines({ routes, upstreams }: GatewayOptions): string[] {
  return routes.map((route) => {
    const url = upstreams[route.upstream]?.url ?? ''
    const fallbacks = (route.fallbacks ?? []).map(({ upstream, model }) =>
      `${upstream} ${model ?? ''}`.trim(),
    )
    const then = fallbacks.length === 0 ? '' : `, then ${fallbacks.join(', then ')}`
    return `${route.name}: ${condition(route.match)} → ${destination(route)} at ${url}${then}`
  })
}

function destination({ upstream, model, models, passthrough }: Route): string {
  if (passthrough) return `${upstream}, unchanged`
  return `${upstream} ${model ?? (models === undefined ? '(same model)' : JSON.stringify(models))}`
}

function condition(match: RouteMatch | undefined): string {
  const parts = Object.entries(match ?? {}).map(([name, wanted]) => `${name} ${JSON.stringify(wanted)}`)
  return parts.length === 0 ? 'everything' : parts.join(' and ')
}
