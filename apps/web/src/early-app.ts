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
 * First stage of every page but that of a text share: the frame is on the page, and only then the app is fetched. On the home
 * page one can type at once, and the app goes on with what was typed; others ask for their data meanwhile.
 */

const pathname = () => window.location.pathname.slice(basePath.length)

const isHome = () => pathname() === '/'

/** A page that begins with something else than an empty field is left to the app. */
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

/** Asks for the page's own parts and words beside the app, which waits for them, and not after it. */
function fetchPage(): void {
  const [page, module] = partsAt(pathname())
  if (!page) return
  // Who is not logged in is shown a form in the place of a module.
  const isInside = module && storedAuthorization() !== null
  const parts = isInside ? [page, module] : [page]
  const language = detectLanguage()
  const coming: Array<Promise<unknown>> = [loadLocale(language)]
  for (const { load, words } of parts)
    coming.push(load(), ...words.map((group) => loadGroup(language, group)))
  // What does not come is asked for again by the app, which knows what to say of it.
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
