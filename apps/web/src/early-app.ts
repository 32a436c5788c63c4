import { basePath } from './lib/base-path.ts'
import { storedAuthorization } from './lib/credentials.ts'
import { HOME_DRAFT, openEarlyField } from './lib/early-field.ts'
import { detectLanguage, loadLocale } from './lib/i18n/languages.ts'
import { painted } from './lib/painted.ts'
import { storedKeys } from './lib/storage.ts'
import './ui/base.css'

/**
 * First stage of every page but that of a text share: the frame is on the page, and only then the app is fetched. On the home
 * page one can type at once; the app goes on with what was typed.
 */

/** A page that begins with something else than an empty field is left to the app. */
function beginsEmpty(): boolean {
  const { pathname, search } = window.location
  const isHome = pathname === `${basePath}/` && search === ''
  const hasDraft = storedKeys().some((key) => key.startsWith(HOME_DRAFT))
  return isHome && !hasDraft && storedAuthorization() !== null
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
  await painted()
}

async function start() {
  if (beginsEmpty()) await drawField().catch(reportError)
  await import('./main.tsx')
}

start().catch(reportError)
