import type { Channel } from './channel.ts'

/** More channels than these are not kept apart: a hostile stream must not fill the memory. */
const MAX_CHANNELS = 256

/** Channels by the texts that they belong to. */
export class ChannelTable {
  readonly #create: () => Channel
  /** Made when it is needed: most streams have no ids. */
  #channels: Map<string, Channel> | undefined
  /** The channel of all texts for which there was no room. */
  #shared: Channel | undefined

  constructor(create: () => Channel) {
    this.#create = create
  }

  /** The channel of a text, which begins if there is none. */
  channelOf(text: string): Channel {
    const channels = (this.#channels ??= new Map())
    const known = channels.get(text)
    if (known !== undefined) return known
    if (channels.size >= MAX_CHANNELS) return (this.#shared ??= this.#create())
    const channel = this.#create()
    channels.set(text, channel)
    return channel
  }

  forEach(act: (channel: Channel) => void): void {
    this.#channels?.forEach(act)
    if (this.#shared !== undefined) act(this.#shared)
  }
}
