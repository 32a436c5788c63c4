import './lib/browser/trusted-types.ts'
import type { OpenBundle } from '@dropleaf/contract'
import { drawEarlyBundle } from './app/pages/bundle/early-bundle-page.ts'
import { isTicketEnded, parseOpened, shouldOpenAnew } from './features/bundle-reading/api/bundle-reply.ts'
import { onlyFileOf } from './features/bundle-reading/models/bundle-tree.ts'
import { openedUrl, openUrl } from './features/bundle-reading/models/bundle-urls.ts'
import { findTicket, forgetTicket, storeTicket } from './features/bundle-reading/models/stored-ticket.ts'
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
 * First stage of the page of a bundle: opens it, shows its text and the first of its items as soon as possible, and only
 * then loads the app, which takes the same response. Errors are left to the app.
 */
const slug = decodeURIComponent(window.location.pathname.slice(basePath.length).split('/')[2] ?? '')
const language = detectLanguage()
const place = { kind: 'bundle', slug } as const

async function send(method: 'GET' | 'POST', url: string, body?: object) {
  const authorization = storedAuthorization()
  const headers: Record<string, string> = {
    'Accept-Language': language,
    ...(authorization && { Authorization: authorization }),
    ...(body && { 'Content-Type': 'application/json' }),
  }
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

/** A tab that has opened the bundle already uses no further view while its ticket lives. */
async function askAgain() {
  const known = findTicket(slug)
  const reply = known && (await send('GET', openedUrl({ slug, ticket: known.ticket })))
  if (!reply || !isTicketEnded(reply.answer)) return reply
  forgetTicket(slug)
  return null
}

/** `null` for everything except an open bundle: the app shows it, and retries after a connection error. */
async function askForBundle(): Promise<OpenBundle | null> {
  const hasTicket = findTicket(slug) !== null
  const again = await askAgain()
  // Without an answer, the ticket may still be good.
  if (hasTicket && !again && findTicket(slug) !== null) return null
  const old = again && parseOpened(again.answer)
  const isOld = old !== null && shouldOpenAnew(old)
  const opened =
    again && !isOld ? null : await send('POST', openUrl(slug), { device: await takeDevice(place) })
  // What was opened before is shown where opening anew needs a password or a click.
  const reply = isOld && opened?.answer.status !== 200 ? again : (opened ?? again)
  if (!reply) return null
  handOver({ slug, ...reply })
  const bundle = parseOpened(reply.answer)
  if (bundle) storeTicket(slug, bundle)
  else if (reply.answer.status < 500) await noteNotOpened(place)
  return bundle
}

/** A folder, a search, a file above its folder and a single file are left to the app. */
const isShownEarly = ({ manifest }: OpenBundle) => window.location.search === '' && !onlyFileOf(manifest)

const LONGEST_WAIT_MS = 500

async function showBundle() {
  // Most bundles have a page, so its renderer is not waited for one request longer.
  const rendering = loadRenderer()
  rendering.catch(() => undefined)
  const words = Promise.all([loadLocale(language), loadGroup(language, 'bundle')])
  words.catch(() => undefined)
  const bundle = await askForBundle()
  if (!bundle || !isShownEarly(bundle)) return
  const renderer = bundle.manifest.page?.type === 'text/markdown' ? await rendering : null
  const [locale, group] = await words
  // The chunk has just been evaluated.
  await nextTurn()
  const drawn = drawEarlyBundle(bundle, { locale, words: group.bundle, language, renderer })
  // Starting the app would delay the text; a slow response must not delay the app.
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
  await nextFrame()
}

async function start() {
  try {
    await showBundle()
  } catch (error) {
    reportError(error)
  }
  const app = import('./main.tsx')
  // The page responds before its chunk is loaded, which the app would otherwise load later.
  await nextTurn()
  await Promise.all([app, import('./app/pages/bundle/bundle.page.tsx')])
}

start().catch(reportError)
