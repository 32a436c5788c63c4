import type { RealFolder, VirtualFolder } from '@dropleaf/contract'
import { hrefOf } from '../../lib/base-path.ts'
import { addressParts, askEarlyData, type DrawEarly } from '../../lib/early-page.ts'
import { element } from '../../lib/element.ts'
import { detectLanguage } from '../../lib/i18n/languages.ts'
import { partsOfLongName, piecesOfName } from '../../lib/name-parts.ts'
import { paths } from '../../lib/paths.ts'
import { directionOf } from '../../lib/right-to-left.ts'
import { routeUrl } from '../../lib/route-url.ts'
import { can, readSession } from '../../lib/stored-session.ts'
import { showUnseen } from '../../lib/unseen-letters.ts'
import nameStyles from '../../ui/shown-name.module.css'
import crumbStyles from './components/crumbs.module.css'
import { sizeText, timeText } from './components/entry-facts.ts'
import linkStyles from './components/entry-link.module.css'
import toolStyles from './components/entry-tools.module.css'
import styles from './components/explorer.module.css'
import canvasStyles from './components/item-canvas.module.css'
import { PHONE, rowPxOf } from './components/list-layout.ts'
import listStyles from './components/list-view.module.css'
import early from './early-folder.module.css'
import { type Entry, sortEntries, wishOf } from './models/entries.ts'
import { asFolder, type Crumb, crumbsOf, folderOfSplat, isWithin, nameOfPath } from './models/fs-paths.ts'
import { firstPageQuery, toListing } from './models/listing.ts'
import { readSettings } from './models/stored-settings.ts'

/** The folder that the address names, where its list is all that is seen of it. */
function addressedFolder(): { readonly path: string; readonly base: string } | null {
  const parts = addressParts()
  const session = readSession()
  const isPlain = window.location.search === '' && readSettings().view === 'list'
  if (!parts || !isPlain || !can(session, 'mount')) return null
  const base = session.kind === 'apikey' ? asFolder(session.info.basic_path) : '/'
  const path = folderOfSplat(parts.slice(1).join('/'))
  return isWithin(path, base) ? { path, base } : null
}

const place = (className: string | undefined) => element('span', className ?? '')

function drawName(name: string): HTMLElement {
  const parts = partsOfLongName(name)
  const pieces = piecesOfName(parts?.[0] ?? name).map(({ text, isWhole }) =>
    element('span', isWhole ? (nameStyles['whole'] ?? '') : '', [showUnseen(text)]),
  )
  if (!parts) return element('bdi', '', pieces)
  return element('bdi', nameStyles['long'] ?? '', [
    element('span', nameStyles['start'] ?? '', pieces),
    element('span', nameStyles['end'] ?? '', [parts[1]]),
  ])
}

function drawTitle(entry: Entry, { parent, facts }: { parent: string; facts: string | null }): HTMLElement {
  const link = element('a', linkStyles['link'] ?? '', [drawName(entry.name)])
  const href = entry.isFolder ? paths.explorer(entry.path) : paths.explorer(parent, entry.name)
  link.setAttribute('href', hrefOf(href))
  link.dir = directionOf(entry.name)
  if (partsOfLongName(entry.name) || piecesOfName(entry.name).length > 1)
    link.setAttribute('aria-label', entry.name)
  const title = element('span', listStyles['title'] ?? '', [link])
  if (facts !== null) title.append(element('span', listStyles['facts'] ?? '', [facts]))
  return title
}

interface Row {
  readonly parent: string
  readonly isPhone: boolean
  readonly language: string
}

function drawRow(entry: Entry, { parent, isPhone, language }: Row): HTMLElement {
  const [size, time] = [sizeText(entry, language), timeText(entry, language)]
  const facts = isPhone ? [size, time].filter(Boolean).join(' · ') : null
  const name = element('span', listStyles['name'] ?? '', [
    place(early['icon']),
    drawTitle(entry, { parent, facts }),
  ])
  const row = element('div', listStyles['row'] ?? '', [place(toolStyles['check']), name])
  if (!isPhone) {
    row.append(element('span', listStyles['size'] ?? '', [size || '–']))
    row.append(element('span', listStyles['modified'] ?? '', [time || '–']))
  }
  return row
}

/** As many rows as the screen has room for; the others leave the page as tall as it will be. */
function drawRows(entries: readonly Entry[], row: Row): HTMLElement {
  const rowPx = rowPxOf(row.isPhone)
  const canvas = element('div', canvasStyles['canvas'] ?? '')
  canvas.style.height = `${entries.length * rowPx}px`
  const seen = entries.slice(0, Math.ceil(window.innerHeight / rowPx))
  for (const [index, entry] of seen.entries()) {
    const item = element('div', canvasStyles['item'] ?? '', [drawRow(entry, row)])
    item.style.cssText = `transform: translateY(${index * rowPx}px); height: ${rowPx}px; width: 100%`
    canvas.append(item)
  }
  if (row.isPhone) return element('div', canvasStyles['root'] ?? '', [canvas])
  // Below the names of columns there is no space, by which the list knows them.
  canvas.style.marginTop = '0'
  return element('div', canvasStyles['root'] ?? '', [element('div', listStyles['head'] ?? ''), canvas])
}

/** The way to the folder, of which a telephone shows the end. */
function drawWay(crumbs: readonly Crumb[]): HTMLElement[] {
  const open = crumbs.at(-1)
  if (!open) return []
  const name = element('span', crumbStyles['crumb'] ?? '', [showUnseen(open.name)])
  name.setAttribute('aria-current', 'page')
  name.dir = directionOf(open.name)
  const home = element('li', '', [place(early['home'])])
  const level = element('li', crumbStyles['level'] ?? '', [place(early['separator']), name])
  return crumbs.length > 1 ? [home, element('li', '', [place(early['hidden'])]), level] : [home, level]
}

function drawBar(crumbs: readonly Crumb[]): HTMLElement {
  const levels = drawWay(crumbs)
  const list = levels.length > 0 ? [element('ol', '', levels)] : []
  const way = element('div', crumbStyles['crumbs'] ?? '', list)
  return element('div', styles['bar'] ?? '', [element('div', styles['line'] ?? '', [way])])
}

/** The first entries of a folder, in the markup of its list. */
export const drawEarly: DrawEarly = async () => {
  const folder = addressedFolder()
  if (!folder) return null
  const { path, base } = folder
  const wish = wishOf({}, readSettings())
  // That of `fsListingRoutes.list`, whose rules nobody needs here.
  const url = routeUrl('/api/fs/list', { query: firstPageQuery(path, wish) })
  const data = await askEarlyData<RealFolder | VirtualFolder>(url)
  if (!data || data.items.length === 0) return null
  const entries = sortEntries(toListing(data, path).entries, wish)
  const isPhone = window.matchMedia(PHONE).matches
  const rows = drawRows(entries, { parent: path, isPhone, language: detectLanguage() })
  const title = element('h1', 'dl-sr', [path === '/' ? document.title : showUnseen(nameOfPath(path))])
  return element('div', styles['page'] ?? '', [
    title,
    element('div', styles['view'] ?? '', [drawBar(isPhone ? crumbsOf(path, base) : []), rows]),
  ])
}
