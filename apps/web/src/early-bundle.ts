import './lib/browser/trusted-types.ts'
import type { ListedBundleItem, OpenBundle } from '@dropleaf/contract'
import { drawEarlyBundle, drawEarlyFolder } from './app/pages/bundle/early-bundle-page.ts'
import { isTicketEnded, parseOpened, shouldOpenAnew } from './features/bundle-reading/api/bundle-reply.ts'
import {
  type BundleSearch,
  folderOf,
  itemPathOf,
  parseQuery,
  queryOf,
} from './features/bundle-reading/models/bundle-place.ts'
import { itemsIn, onlyFileOf, placeOf } from './features/bundle-reading/models/bundle-tree.ts'
import { keepEarlyList } from './features/bundle-reading/models/early-list.ts'
import { readingSettings } from './features/bundle-reading/models/reading-settings.ts'
import { mayBeKey } from './features/bundle-reading/sealed/address-key.ts'
import { findKnownLook } from './features/bundle-reading/sealed/known-looks.ts'
import { firstPageUrl, lookUrl, openedUrl, openUrl } from './domains/bundles/bundle-urls.ts'
import { findTicket, forgetTicket, storeTicket } from './features/bundle-reading/models/stored-ticket.ts'
import { askEarly } from './domains/api/early-requests.ts'
import { loadRenderer } from './domains/markdown/render/load.ts'
import { readAnswer } from './domains/offline/copies/read-answer.ts'
import { handOver } from './domains/shares/early-answer.ts'
import { noteNotOpened, takeDevice } from './domains/shares/opening/device.ts'
import { storedAuthorization } from './domains/session/credentials.ts'
import { detectLanguage, loadGroup, loadLocale } from './i18n/languages.ts'
import { basePath } from './lib/browser/base-path.ts'
import { nextFrame, nextTurn } from './lib/browser/scheduling.ts'
import './lib/browser/scroll-state.ts'
import './ui/theme/base.css'

/**
 * Early script of the page of a bundle. Opens the bundle, and shows its text and its first items as soon as possible.
 * Only then loads the app, which reuses the response. Leaves errors to the app.
 */
const slug = decodeURIComponent(window.location.pathname.slice(basePath.length).split('/')[2] ?? '')
const language = detectLanguage()
const place = { kind: 'bundle', slug } as const

function earlyHeaders(): Record<string, string> {
  const authorization = storedAuthorization()
  return { 'Accept-Language': language, ...(authorization && { Authorization: authorization }) }
}

async function send(method: 'GET' | 'POST', url: string, body?: object) {
  const headers = { ...earlyHeaders(), ...(body && { 'Content-Type': 'application/json' }) }
  const request = {
    method,
    headers,
    signal: AbortSignal.timeout(30_000),
    ...(body && { body: JSON.stringify(body) }),
  }
  const response = await fetch(url, request).catch(() => null)
  const sent = { method, url, headers }
  return response && { answer: await readAnswer(response, sent), sent }
}

/**
 * Reads a bundle that this tab has already opened. The request uses no further view while the stored ticket is valid.
 */
async function askAgain() {
  const known = findTicket(slug)
  const reply = known && (await send('GET', openedUrl({ slug, ticket: known.ticket })))
  if (!reply || !isTicketEnded(reply.answer)) return reply
  forgetTicket(slug)
  return null
}

/**
 * Opens the bundle, and hands the response to the app. Returns `null` if the bundle is encrypted or does not open. The
 * app then shows the page, and retries after a connection error.
 */
async function askForBundle(): Promise<OpenBundle | null> {
  const hasTicket = findTicket(slug) !== null
  const again = await askAgain()
  // After a connection error, the stored ticket can still be valid, so the bundle is not opened again.
  if (hasTicket && !again && findTicket(slug) !== null) return null
  const old = again && parseOpened(again.answer)
  const isOld = old !== null && shouldOpenAnew(old)
  const opened =
    again && !isOld ? null : await send('POST', openUrl(slug), { device: await takeDevice(place) })
  // The bundle may not open again, for example because it needs a password or a click. The page then shows the bundle
  // that this tab opened earlier.
  const reply = isOld && opened?.answer.status !== 200 ? again : (opened ?? again)
  if (!reply) return null
  handOver({ slug, ...reply })
  const bundle = parseOpened(reply.answer)
  if (bundle) storeTicket(slug, bundle)
  else if (reply.answer.status >= 400 && reply.answer.status < 500) await noteNotOpened(place)
  return bundle
}

const LONGEST_WAIT_MS = 500

/** Sends the first request for a bundle that may be encrypted. The app uses the same response. */
function askFirst(): Promise<Response> {
  const known = findTicket(slug)
  const url = known ? openedUrl({ slug, ticket: known.ticket }) : lookUrl(slug)
  return askEarly(url, earlyHeaders())
}

/**
 * Opens the bundle, which uses a view, and hands the response to the app.
 * @returns the body of the response; `null` unless the bundle was opened
 */
async function openWithProof(proof: string): Promise<string | null> {
  const reply = await send('POST', openUrl(slug), { device: await takeDevice(place), proof })
  if (!reply) return null
  handOver({ slug, ...reply })
  const { status, text } = reply.answer
  if (status >= 400 && status < 500) await noteNotOpened(place)
  return status === 200 ? text : null
}

/** Opens a bundle whose address may contain a key. Requests the bundle while the code for decryption loads. */
async function openSealed() {
  const first = askFirst()
  first.catch(() => undefined)
  const [{ openSealedEarly }, { sealedReading }] = await Promise.all([
    import('./features/bundle-reading/sealed/early-sealed.ts'),
    loadGroup(language, 'sealedReading'),
  ])
  const linkKey = window.location.hash.slice(1)
  return {
    bundle: await openSealedEarly({ linkKey, first, open: openWithProof }),
    sealedWords: sealedReading,
  }
}

/**
 * Whether the bundle has to be encrypted, but this script cannot decrypt it: browsers decrypt only over HTTPS, and the
 * address may lack the key of a bundle that this browser knows as encrypted.
 */
const isLeftToApp = (hasKey: boolean) => (hasKey ? !window.isSecureContext : findKnownLook(slug) !== null)

/** Lists a folder. The server lists a live folder; the app then uses the same response. */
async function listFolder(bundle: OpenBundle, path: string): Promise<readonly ListedBundleItem[]> {
  const { sort, order } = readingSettings()
  const place = placeOf(bundle.manifest, path)
  if (place === 'tree') return itemsIn(bundle.manifest, path, { sort, order })
  if (place === null) return []
  const asked = send('GET', firstPageUrl(bundle, { path, sort, order }))
  const reply = await keepEarlyList({ ticket: bundle.ticket, path, sort, order }, asked)
  return reply?.items ?? []
}

/**
 * Waits for the shown content, because starting the app at the same time would delay it. The wait is limited, so that a
 * slow response does not delay the app.
 */
const withinLimit = (shown: Promise<void>) =>
  Promise.race([shown, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])

/**
 * Shows the first items of a folder.
 * @param folder path of the page, such as `/photos/`
 */
async function showFolder(bundle: OpenBundle, folder: string): Promise<void> {
  const items = await listFolder(bundle, itemPathOf(folder))
  if (items.length > 0) drawEarlyFolder(bundle, { folder, items }, language)
}

/** Opens the bundle, and shows its text and its first items. */
async function openAtRoot(): Promise<void> {
  // Loads the renderer in parallel with the request, because most bundles have a page.
  const rendering = loadRenderer()
  rendering.catch(() => undefined)
  const words = Promise.all([loadLocale(language), loadGroup(language, 'bundle')])
  words.catch(() => undefined)
  const { bundle, ...more } = mayBeKey(window.location.hash)
    ? await openSealed()
    : { bundle: await askForBundle() }
  if (!bundle || onlyFileOf(bundle.manifest)) return
  const renderer = bundle.manifest.page?.type === 'text/markdown' ? await rendering : null
  const [locale, group] = await words
  // Yields to the browser after the chunk has been evaluated.
  await nextTurn()
  await withinLimit(drawEarlyBundle(bundle, { locale, words: group.bundle, language, renderer, ...more }))
  await nextFrame()
}

/** Opens the bundle, and shows the folder of the address. The app shows a file or a search. */
async function openInside({ at, preview, find }: BundleSearch): Promise<void> {
  const bundle = await askForBundle()
  if (!bundle || preview !== undefined || find !== undefined || onlyFileOf(bundle.manifest)) return
  await withinLimit(showFolder(bundle, folderOf({ at })))
  await nextFrame()
}

async function showBundle() {
  const hasKey = mayBeKey(window.location.hash)
  if (isLeftToApp(hasKey)) return
  // The address of an encrypted bundle names no folder.
  const search = hasKey ? {} : parseQuery(window.location.search)
  await (queryOf(search) === '' ? openAtRoot() : openInside(search))
}

async function start() {
  try {
    await showBundle()
  } catch (error) {
    reportError(error)
  }
  const app = import('./main.tsx')
  // Lets the page respond to input before the chunk of the page is loaded.
  await nextTurn()
  await Promise.all([app, import('./app/pages/bundle/bundle.page.tsx')])
}

start().catch(reportError)
