/** What has been typed and is about to be saved. */
const saves = new Set<() => void | Promise<void>>()

/** @returns what says that nothing is waiting any more. */
export function holdSave(save: () => void | Promise<void>): () => void {
  saves.add(save)
  return () => saves.delete(save)
}

/** Saves at once what is waiting, before the page goes. */
export async function flushSaves(): Promise<void> {
  await Promise.allSettled([...saves].map(async (save) => save()))
}
