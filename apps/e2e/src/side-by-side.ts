/** Does jobs so many at a time, in their order. */
export async function sideBySide<Job>(
  width: number,
  jobs: readonly Job[],
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const left = [...jobs]
  const worker = async (): Promise<void> => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- each worker does one at a time
      await work(job)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}
