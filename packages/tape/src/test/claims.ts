/** Who uses which tape in this process: the keys are folders. */
const claims = new Map<string, { readonly id: string; readonly test: string }>()

/** A test that wants a tape of its own. */
export interface Claim {
  readonly folder: string
  /** What tells two tests with the same name apart; a test that is tried again has the same. */
  readonly id: string
  readonly test: string
}

/** Notes that a tape belongs to a test; a tape that belongs to another one is an error. */
export function claimTape({ folder, id, test }: Claim): void {
  const known = claims.get(folder)
  if (known !== undefined && known.id !== id) {
    const who =
      known.test === test ? `two tests are called '${test}'` : `the tests '${known.test}' and '${test}'`
    const means = known.test === test ? ', so both would use' : ' would both use'
    throw new Error(`${who}${means} the tape ${folder}; name it in one of them: useTape('another-name')`)
  }
  claims.set(folder, { id, test })
}
