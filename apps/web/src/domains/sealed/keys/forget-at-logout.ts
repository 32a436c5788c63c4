import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner } from '../../session/session-owner.ts'
import { onSessionEnd, subscribeSession } from '../../session/session.ts'

async function forget(owner: string): Promise<void> {
  const [{ forgetKeys }, { forgetAllSealed }] = await Promise.all([
    import('./key-store.ts'),
    import('../sending/saved-sealed.ts'),
  ])
  await forgetAllSealed(owner)
  await forgetKeys(owner)
}

/** Removes the kept keys of a user who logs out. @returns a function that ends this */
export function forgetKeysAtLogout(): () => void {
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
