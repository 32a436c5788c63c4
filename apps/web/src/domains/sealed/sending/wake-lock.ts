import { uploads } from '../../transfers/uploads/uploads.ts'

let isWatching = false
let lock: WakeLockSentinel | null = null
let isAsking = false

const isSending = () => uploads.getAll().some(({ state }) => state === 'uploading')

async function update(): Promise<void> {
  if (!isSending()) {
    const held = lock
    lock = null
    await held?.release()
    return
  }
  const isHeld = lock !== null && !lock.released
  if (isHeld || isAsking || document.visibilityState !== 'visible') return
  isAsking = true
  try {
    lock = await navigator.wakeLock.request('screen')
  } catch {
    // The battery is low, or the browser does not allow the lock. The upload continues until the device sleeps.
  } finally {
    isAsking = false
  }
}

/** Keeps the screen on while files are sent, because phones stop a page when their screen turns off. */
export function stayAwakeWhileSending(): void {
  if (isWatching || !('wakeLock' in navigator)) return
  isWatching = true
  const look = () => void update().catch(() => undefined)
  uploads.subscribe(look)
  // Requests the lock again when the page becomes visible, because the browser releases the lock of a hidden page.
  document.addEventListener('visibilitychange', look)
  look()
}
