import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../session/session.ts'

/** The user in localStorage whose keys are being removed: a tab can close before that is done. */
const LEAVING_OWNER = 'dropleaf-sealed-leaving'

async function forget(owner: string): Promise<void> {
  writeStored(LEAVING_OWNER, owner)
  const [{ forgetKeys }, { forgetAllSealed }] = await Promise.all([
    import('./key-store.ts'),
    import('../sending/saved-sealed.ts'),
  ])
  // First the keys: nobody can read the drafts without them.
  await forgetKeys(owner)
  await forgetAllSealed(owner)
  writeStored(LEAVING_OWNER, null)
}

/**
 * Removes the kept keys of a user who logs out, also those of a logout whose tab closed at once.
 * @returns a function that ends this
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
