import './lib/browser/trusted-types.ts'
import { askEarlyData } from './app/early-data.ts'
import { partsAt } from './app/page-parts.ts'
import { basePath } from './lib/browser/base-path.ts'
import { storedAuthorization } from './domains/session/credentials.ts'
import { HOME_DRAFT, openEarlyField } from './domains/editor/early-field.ts'
import { detectLanguage, loadGroup, loadLocale } from './i18n/languages.ts'
import { nextFrame, nextTurn } from './lib/browser/scheduling.ts'
import { storedKeys } from './lib/browser/storage.ts'
import './ui/theme/base.css'

/**
 * Early script of every page except the pages of text shares and bundles. Loads the app. If the home page begins with
 * an empty text field, the user can type at once, and the app takes over the text. Otherwise, the script requests the
 * page's data while the app loads.
 */

const pathname = () => window.location.pathname.slice(basePath.length)

const isHome = () => pathname() === '/'

/** Whether the page may show an empty text field at once. The app handles all other cases. */
function beginsEmpty(): boolean {
  const hasDraft = storedKeys().some((key) => key.startsWith(HOME_DRAFT))
  return isHome() && window.location.search === '' && !hasDraft && storedAuthorization() !== null
}

async function drawField(): Promise<void> {
  const main = document.querySelector('#early main')
  const { home } = await loadLocale(detectLanguage())
  const pane = document.createElement('section')
  pane.className = 'dl-editor-pane dl-early-pane'
  const field = document.createElement('textarea')
  field.className = 'dl-editor-field'
  field.placeholder = home.placeholder
  field.setAttribute('aria-label', home.editor)
  pane.append(field)
  main?.append(pane)
  openEarlyField(field)
  await nextFrame()
}

/** Loads the page's chunks and texts in parallel with the app. */
function fetchPage(): void {
  const [page, module] = partsAt(pathname())
  if (!page) return
  // Visitors see the login form instead of a module.
  const isInside = module && storedAuthorization() !== null
  const parts = isInside ? [page, module] : [page]
  const language = detectLanguage()
  const coming: Array<Promise<unknown>> = [loadLocale(language)]
  for (const { load, words } of parts)
    coming.push(load(), ...words.map((group) => loadGroup(language, group)))
  // The app retries failed loads, and shows the error.
  void Promise.allSettled(coming)
}

async function start() {
  if (beginsEmpty()) await drawField().catch(reportError)
  else void askEarlyData(pathname()).catch(reportError)
  const app = import('./main.tsx')
  await nextTurn()
  fetchPage()
  await app
}

start().catch(reportError)
