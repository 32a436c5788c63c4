import './lib/browser/trusted-types.ts'
import type { ReadablePaste } from '@dropleaf/contract'
import { drawEarlyPaste } from './features/pastes/components/reading/early-article.ts'
import { parseReadable } from './features/pastes/api/paste-reply.ts'
import { backend } from './lib/server-address.ts'
import { storedAuthorization } from './domains/session/credentials.ts'
import { handOver } from './domains/shares/early-answer.ts'
import { detectLanguage, loadLocale } from './i18n/languages.ts'
import { loadRenderer } from './domains/markdown/render/load.ts'
import { basePath } from './lib/browser/base-path.ts'
import { nextFrame, nextTurn } from './lib/browser/scheduling.ts'
import { readAnswer } from './domains/offline/copies/read-answer.ts'
import './lib/browser/scroll-state.ts'
import './ui/theme/base.css'

/**
 * Early script of a text share. Requests the text, and shows it as soon as possible. Only then loads the app, which
 * reuses the response. Leaves errors to the app.
 */
const slug = decodeURIComponent(window.location.pathname.slice(basePath.length).split('/')[2] ?? '')
const language = detectLanguage()

/**
 * Returns `null` for anything except an unprotected text. The app then shows the page, and retries after a connection
 * error.
 */
async function askForPaste(): Promise<ReadablePaste | null> {
  const authorization = storedAuthorization()
  const headers = { 'Accept-Language': language, ...(authorization && { Authorization: authorization }) }
  const url = `${backend}/api/paste/${encodeURIComponent(slug)}`
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) }).catch(() => null)
  if (!response) return null
  const sent = { method: 'GET', url, headers }
  const answer = await readAnswer(response, sent)
  handOver({ slug, answer, sent })
  return parseReadable(answer)
}

const LONGEST_WAIT_MS = 500

async function showText() {
  const coming = Promise.all([askForPaste(), loadLocale(language), loadRenderer()])
  const [paste, locale, renderer] = await coming
  if (!paste) return
  // Yields to the browser after the chunk has been evaluated.
  await nextTurn()
  const drawn = drawEarlyPaste(paste, { locale, language, renderer })
  // Waits for the text, because starting the app at the same time would delay it. The wait is limited, so that a slow
  // response does not delay the app.
  await Promise.race([drawn, new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))])
  await nextFrame()
}

async function start() {
  try {
    await showText()
  } catch (error) {
    reportError(error)
  }
  const app = import('./main.tsx')
  // Lets the page respond to input before the chunk of the page is loaded.
  await nextTurn()
  await Promise.all([app, import('./features/pastes/pages/paste.page.tsx')])
}

start().catch(reportError)
