import { clientsClaim, setCacheNameDetails } from 'workbox-core'
import { cacheAssets } from './assets.ts'
import { listenToPages } from './messages.ts'
import { answerReads } from './reads.ts'
import { takeShares } from './share-target.ts'
import { precacheShell } from './shell.ts'
import { syncInBackground } from './sync.ts'

/**
 * The service worker: the app shell offline, cached responses, and the share target. The first version takes control at
 * once; an update waits for the user.
 */
setCacheNameDetails({ prefix: 'dropleaf' })
// Only for the first version: an update waits anyway.
clientsClaim()
takeShares()
answerReads()
precacheShell()
cacheAssets()
listenToPages()
syncInBackground()
