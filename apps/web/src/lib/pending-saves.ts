/** Pending saves of user input. */
const saves = new Set<() => void | Promise<void>>()

/**
 * Registers a save.
 * @returns a function that unregisters the save
 */
export function holdSave(save: () => void | Promise<void>): () => void {
  saves.add(save)
  return () => saves.delete(save)
}

/** Runs all pending saves before the page is unloaded. */
export async function flushSaves(): Promise<void> {
  await Promise.allSettled([...saves].map(async (save) => save()))
}
