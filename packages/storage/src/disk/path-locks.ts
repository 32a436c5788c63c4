/** Takes one step on a path. Steps that name it wait for each other, within this process. */
export type PathLock = <T>(path: string, step: () => Promise<T>) => Promise<T>

/** For steps that look first and change then: short ones, no bytes are moved meanwhile. */
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
