/** The address for clients of the gateway that shows this page, wherever it is mounted; none for a page on a disk. */
export function gatewayUrl({ origin, pathname }: Pick<Location, 'origin' | 'pathname'> = location): string {
  return origin === 'null' ? '' : origin + pathname.replace(/\/_hydra\/$/, '')
}
