/** Of the events that a client was passed on. */
export interface PassedEvents {
  readonly first: string
  readonly latest: string
}
