import { onSessionEnd } from '../../lib/session.ts'
import { NO_OPTIONS, type ShareOptions } from '../../lib/share-options.ts'

/**
 * The options of the text that is being written: who goes to log in comes back to them. In the memory of the tab, for there
 * may be a password among them.
 */
let kept = NO_OPTIONS

export const keptOptions = (): ShareOptions => kept

export function keepOptions(options: ShareOptions): void {
  kept = options
}

// The next person at this device need not know the password.
onSessionEnd((reason) => {
  if (reason === 'logout') kept = NO_OPTIONS
})
