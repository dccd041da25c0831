import * as v from 'valibot'
import { type Extended, fields, type Written } from './fields.ts'
import { clientSecret } from './upstream.ts'
import { list, matching } from './values.ts'

/** As the header says it, without its port. */
const hostName = matching(
  /^(?:[\w.-]+|\[[\dA-Fa-f:.]+\]|[\dA-Fa-f]*:[\dA-Fa-f]*:[\dA-Fa-f:.]*)$/,
  'expected a host name such as localhost, without scheme, port and path',
)

/** As browsers send it; pages of files and sandboxes have `null`. */
const origin = matching(
  /^(?:null|[a-z][\w+.-]*:\/\/[^/\s]+)$/,
  'expected an origin such as http://localhost:3000, without a path',
)

/** Who may call by name: the keys that options and configuration files share. */
export const guardEntries = {
  /** Host names under which the server may be called. A web page cannot forge this header. */
  hosts: v.optional(list(hostName)),
  /** Origins of web pages that may call; by default none at all. */
  origins: v.optional(list(origin)),
}

/** Who may call by name. */
export interface AllowedNames extends Written<typeof guardEntries> {}

/** What protects a gateway that is a server of its own. */
export const guard = fields({
  /** The key that clients must bring, as `new Secret(…)`; none asks for none. */
  key: v.optional(clientSecret),
  ...guardEntries,
})

/** What protects a gateway that is a server of its own. */
export interface GuardOptions extends Readonly<Extended<AllowedNames, typeof guard>> {}
