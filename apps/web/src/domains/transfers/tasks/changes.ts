/** Notifies listeners about folders that an upload or a server task has changed. */

type Listener = (directory: string) => void

const EVERY_MS = 1000

const listeners = new Set<Listener>()
/** Recently reported folders. The value is whether the folder has changed again since the report. */
const resting = new Map<string, boolean>()

const plain = (path: string) => (path === '/' ? path : path.replace(/\/+$/, ''))

function tell(directory: string) {
  resting.set(directory, false)
  for (const listener of listeners) listener(directory)
  setTimeout(() => {
    const isDue = resting.get(directory) === true
    resting.delete(directory)
    if (isDue) tell(directory)
  }, EVERY_MS)
}

/** Notifies listeners that a folder has changed, at most once per second for each folder. */
export function noteFolderChanged(path: string): void {
  const directory = plain(path)
  if (resting.has(directory)) resting.set(directory, true)
  else tell(directory)
}

/**
 * Subscribes to changed folders.
 * @param listener receives the path of the folder, without a trailing slash except for `/`
 * @returns a function that unsubscribes
 */
export function onFolderChanged(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function parentOf(path: string): string {
  const whole = plain(path)
  return whole.slice(0, whole.lastIndexOf('/')) || '/'
}
