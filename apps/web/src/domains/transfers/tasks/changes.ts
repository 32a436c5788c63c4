/** Folders that changed without the person having done it on this screen: an upload arrived, a task of the server moved on. */

type Listener = (directory: string) => void

const EVERY_MS = 1000

const listeners = new Set<Listener>()
/** For each recently reported folder, whether it changed again since. */
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

/** Tells of a folder, at most once a second each. */
export function noteFolderChanged(path: string): void {
  const directory = plain(path)
  if (resting.has(directory)) resting.set(directory, true)
  else tell(directory)
}

/**
 * @param listener gets the path of the folder whose listing may differ now, without a trailing slash except for `/`.
 * @returns a function that unsubscribes.
 */
export function onFolderChanged(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The folder that a path lies in. */
export function parentOf(path: string): string {
  const whole = plain(path)
  return whole.slice(0, whole.lastIndexOf('/')) || '/'
}
