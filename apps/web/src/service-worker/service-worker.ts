import { clientsClaim, setCacheNameDetails } from 'workbox-core'
import { cacheAssets } from './assets.ts'
import { listenToPages } from './messages.ts'
import { answerReads } from './reads.ts'
import { takeShares } from './share-target.ts'
import { precacheShell } from './shell.ts'
import { syncInBackground } from './sync.ts'
import { freeBodiesOfUploads } from './uploads.ts'
import { answerVirtualFiles } from './virtual-files.ts'

/**
 * The service worker: serves the app offline, caches responses, and receives content from other apps. The first version
 * takes control at once; an update waits for the user.
 */
setCacheNameDetails({ prefix: 'dropleaf' })
// This call affects only the first version, because an update waits for the user.
clientsClaim()
freeBodiesOfUploads()
takeShares()
answerVirtualFiles()
answerReads()
precacheShell()
cacheAssets()
listenToPages()
syncInBackground()
