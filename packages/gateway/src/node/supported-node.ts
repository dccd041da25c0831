/** The oldest Node that calls upstreams: undici needs it. */
export const OLDEST_NODE = '22.19.0'

/** What somebody with an older Node has to do; nothing where it is new enough, or no Node at all. */
export function faultOfNode(versions: Readonly<Record<string, string | undefined>>): string | undefined {
  const { node, bun, deno } = versions
  // Others name the Node that they resemble.
  if (node === undefined || bun !== undefined || deno !== undefined) return undefined
  if (node.localeCompare(OLDEST_NODE, 'en', { numeric: true }) >= 0) return undefined
  return `@hydra/gateway needs Node ${OLDEST_NODE} or newer, and this is Node ${node}: install a newer one`
}
