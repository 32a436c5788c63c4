import { clientsClaim, setCacheNameDetails } from 'workbox-core'
import { keepAssets } from './assets.ts'
import { listenToPages } from './messages.ts'
import { answerReads } from './reads.ts'
import { takeShares } from './share-target.ts'
import { precacheShell } from './shell.ts'
import { syncInBackground } from './sync.ts'

/**
 * The service worker: the app itself without a network, what was read before, and what other apps share. It begins where
 * nothing controlled the page; a new version of it waits until somebody asks for it.
 */
setCacheNameDetails({ prefix: 'dropleaf' })
// The first page has a worker as soon as there is one: this takes nothing over from an earlier version.
clientsClaim()
takeShares()
answerReads()
precacheShell()
keepAssets()
listenToPages()
syncInBackground()
