/** One server-sent event with a name, its data already a single line of JSON. */
export function formatEvent(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`
}
