/** What must have happened before anything is written into mounts: a removal that still waits would take the new with it. */

type Work = () => Promise<void>

const works = new Set<Work>()

export function beforeWrites(work: Work): void {
  works.add(work)
}

export async function settleBeforeWrites(): Promise<void> {
  await Promise.all([...works].map((work) => work()))
}
