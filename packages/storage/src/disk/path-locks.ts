/** Runs one step on a path. Steps on the same path run one after another, within this process. */
export type PathLock = <T>(path: string, step: () => Promise<T>) => Promise<T>

/** Creates a lock for short steps that check and then change a path, without copying bytes. */
export function createPathLock(): PathLock {
  const last = new Map<string, Promise<unknown>>()
  return async (path, step) => {
    const before = last.get(path)
    const mine = (async () => {
      await before
      return step()
    })()
    const settled = mine.catch(() => undefined)
    last.set(path, settled)
    try {
      return await mine
    } finally {
      if (last.get(path) === settled) last.delete(path)
    }
  }
}
