/** Unsaved input with a pending save. */
const saves = new Set<() => void | Promise<void>>()

/** @returns a function that unregisters the save. */
export function holdSave(save: () => void | Promise<void>): () => void {
  saves.add(save)
  return () => saves.delete(save)
}

/** Runs all pending saves before the page is unloaded. */
export async function flushSaves(): Promise<void> {
  await Promise.allSettled([...saves].map(async (save) => save()))
}
