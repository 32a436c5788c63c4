/** Work that must finish before a write to a mount. For example, a pending removal would delete the new file. */

type Work = () => Promise<void>

const works = new Set<Work>()

export function beforeWrites(work: Work): void {
  works.add(work)
}

export async function settleBeforeWrites(): Promise<void> {
  await Promise.all([...works].map((work) => work()))
}
