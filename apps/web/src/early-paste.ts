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
 * First stage of a share page: ask for the text, show it as soon as it is there, and only then fetch the app, which goes on
 * with the same answer. Whatever goes wrong here is left to the app.
 */
const slug = decodeURIComponent(window.location.pathname.slice(basePath.length).split('/')[2] ?? '')
const language = detectLanguage()

/** `null` for everything that is not an open text: the app shows it, and asks again when the line broke. */
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
  // What has come was just run.
  await nextTurn()
  const drawn = drawEarlyPaste(paste, { locale, language, renderer })
  // Running the app would hold up the text that is to be read; a text that is long in coming does not hold up the app.
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
  // The page answers before its own part is asked for, which the app would ask for later.
  await nextTurn()
  await Promise.all([app, import('./features/pastes/pages/paste.page.tsx')])
}

start().catch(reportError)
