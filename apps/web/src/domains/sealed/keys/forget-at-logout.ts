import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../session/session.ts'

/**
 * Key in localStorage under which the user is stored whose keys are being removed. If the tab closes too early, the
 * next page continues the removal.
 */
const LEAVING_OWNER = 'dropleaf-sealed-leaving'

async function forget(owner: string): Promise<void> {
  writeStored(LEAVING_OWNER, owner)
  const [{ forgetKeys }, { forgetAllSealed }] = await Promise.all([
    import('./key-store.ts'),
    import('../sending/saved-sealed.ts'),
  ])
  // Removes the keys first, because nobody can read the drafts without keys.
  await forgetKeys(owner)
  await forgetAllSealed(owner)
  writeStored(LEAVING_OWNER, null)
}

/**
 * Removes the stored keys of a user who logs out. Also completes the removal for a logout after which the tab was
 * closed too early.
 * @returns a function that stops watching for logouts
 */
export function forgetKeysAtLogout(): () => void {
  const left = readStored(LEAVING_OWNER)
  if (left !== null) forget(left).catch(reportError)
  let owner = currentOwner()
  const stopWatching = subscribeSession(() => {
    const now = currentOwner()
    if (now !== NOBODY) owner = now
  })
  const stopForgetting = onSessionEnd((reason) => {
    if (reason === 'logout') forget(owner).catch(reportError)
  })
  return () => {
    stopWatching()
    stopForgetting()
  }
}
