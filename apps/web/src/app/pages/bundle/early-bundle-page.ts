import type { ListedBundleItem, OpenBundle } from '@dropleaf/contract'
import { itemPathOf, pageUrl, ROOT, searchFor } from '../../../features/bundle-reading/models/bundle-place.ts'
import { itemsIn, nameOf } from '../../../features/bundle-reading/models/bundle-tree.ts'
import { fileUrl } from '../../../domains/bundles/bundle-urls.ts'
import type { EarlyBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { readingSettings } from '../../../features/bundle-reading/models/reading-settings.ts'
import type { FactWord } from '../../../features/pastes/components/reading/paste-facts.ts'
import { firstFormat } from '../../../features/pastes/components/reading/paste-facts.ts'
import {
  LONG_MARKDOWN_CHARACTERS,
  noteDrawing,
  type Renderer,
} from '../../../domains/markdown/render/load.ts'
import '../../../domains/markdown/prose/prose.css'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { element, fillWords } from '../../../lib/browser/dom-element.ts'
import { madeHtml } from '../../../lib/browser/trusted-types.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { formatBytes, formatDateTime } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import type { bundle as bundleWords } from '../../../locales/zh-CN/bundle.ts'
import type { FirstLocale } from '../../../locales/zh-CN/index.ts'
import type { sealedReading } from '../../../locales/zh-CN/sealed-reading.ts'
import { drawLines } from '../../../ui/text-lines/draw-lines.ts'
import { parseLines } from '../../../ui/text-lines/line-range.ts'
import { bundleFacts } from './bundle-facts.ts'
import './bundle-page.css'
import { filesOfBundle } from './files-of-bundle.ts'
import { followInside } from './follow-inside.ts'
import { keepEarlyText } from './sealed/early-text.ts'

export interface EarlyWords {
  readonly locale: FirstLocale
  readonly words: typeof bundleWords
  readonly language: string
  /** Texts for an encrypted bundle. */
  readonly sealedWords?: typeof sealedReading
}

/** Number of items rendered before the app is loaded; more than fit on a screen. */
const EARLY_ITEMS = 50

function drawFacts(bundle: EarlyBundle, { locale, words, language }: EarlyWords) {
  const facts = bundleFacts(bundle, {
    translate: (word: FactWord, values) => {
      const key = word.slice('paste.'.length) as
        | 'created'
        | 'expires'
        | 'expiredAt'
        | 'viewsLeft'
        | 'lastView'
      return fillWords(locale.paste[key], values)
    },
    words: (word, values, count) => {
      if (word === 'updated') return fillWords(words.updated, values)
      const form = count === 1 ? 'one' : 'other'
      return fillWords(words[`${word}_${form}`], { ...values, count: String(count) })
    },
    language,
    nowMs: Date.now(),
  })
  const items = facts.map((fact) => {
    const item = element('li', '', [fact.text])
    if (fact.isUrgent) item.dataset['urgent'] = 'true'
    return item
  })
  return element('ul', 'dl-bundle-facts', items)
}

/**
 * Renders the text of the page.
 * @returns `heading`, which is `null` for a plain or long text or one without a heading. For a long Markdown text, also
 * `begins`, a promise that resolves when the start of the text is visible.
 */
function drawText(bundle: EarlyBundle, into: HTMLElement, renderer: Renderer | null) {
  const { page } = bundle.manifest
  if (!page) return { heading: null }
  const { hash } = window.location
  // For an encrypted bundle, leaves out content from other sites. The app later offers to load it.
  const hosts = bundle.decrypted ? new Set<string>() : null
  if (!renderer || firstFormat({ content_type: page.type }, hash) === 'plain') {
    const text = element('div', '')
    into.append(text)
    const { signal } = new AbortController()
    drawLines(text, page.text, { signal, until: parseLines(hash)?.last ?? 1 })
    return { heading: null }
  }
  const beside = filesOfBundle(bundle, { folder: ROOT, open: () => undefined })
  const text = element('div', 'dl-prose')
  into.append(text)
  if (page.text.length > LONG_MARKDOWN_CHARACTERS) {
    // This signal is never aborted, because the app takes over the pieces that are still being rendered.
    const { signal } = new AbortController()
    const drawing = renderer.showInPieces(text, page.text, {
      signal,
      beside,
      ...(hosts && { onLeftOut: () => undefined }),
    })
    noteDrawing(drawing)
    drawing.catch(reportError)
    return { heading: null, begins: renderer.beginsLongText(page.text) }
  }
  const { html, title } = renderer.renderMarkdown(page.text, { beside, hosts })
  text.innerHTML = madeHtml(html)
  return { heading: title }
}

/** Returns the name of an item, as a link unless the app has to decrypt the item first. */
function drawName(bundle: EarlyBundle, { name, path, isDirectory }: ListedBundleItem) {
  const shown = element('bdi', '', [showInvisible(name)])
  if (bundle.decrypted) return element('span', '', [shown])
  const link = element('a', '', [shown])
  const href = isDirectory ? pageUrl(bundle.slug, searchFor(`/${path}/`)) : fileUrl(bundle, path)
  link.setAttribute('href', href)
  return link
}

function drawItem(bundle: EarlyBundle, item: ListedBundleItem, language: string) {
  const { size, modified } = item
  return element('li', 'dl-bundle-row', [
    drawName(bundle, item),
    element('span', '', [size === null ? '–' : formatBytes(size, language)]),
    element('span', '', [modified === null ? '–' : formatDateTime(modified, language)]),
  ])
}

/**
 * Renders the first items of a folder as plain links, so that the reader can open a file at once.
 * @param folder path of the page, such as `/photos/`
 */
function drawItems(
  bundle: EarlyBundle,
  { folder, items }: { folder: string; items: readonly ListedBundleItem[] },
  language: string,
) {
  const list = element(
    'ul',
    'dl-bundle-rows',
    items.slice(0, EARLY_ITEMS).map((item) => drawItem(bundle, item, language)),
  )
  list.dataset['view'] = readingSettings().view
  if (folder !== ROOT) list.dataset['inside'] = 'true'
  return list
}

function drawBadge({ badge, badgeText, about }: typeof sealedReading) {
  const link = element('a', '', [about])
  link.setAttribute('href', hrefOf(paths.encryption))
  const text = element('span', '', [element('strong', '', [badge]), ` ${badgeText} `, link])
  return element('p', 'dl-bundle-badge', [element('i', ''), text])
}

/** Shows the article, unless the app has replaced the early page. */
function show(article: HTMLElement, title: string) {
  const main = document.querySelector('#early main')
  if (!main) return
  main.replaceChildren(article)
  main.removeAttribute('aria-busy')
  document.title = `${showInvisible(title)} - Dropleaf`
}

/** Renders the first items of a folder of a bundle. */
export function drawEarlyFolder(
  bundle: OpenBundle,
  { folder, items }: { folder: string; items: readonly ListedBundleItem[] },
  language: string,
): void {
  const name = nameOf(itemPathOf(folder))
  const heading = element('h1', 'dl-sr', [showInvisible(name)])
  show(element('article', 'dl-bundle', [heading, drawItems(bundle, { folder, items }, language)]), name)
}

/**
 * Renders the start of a bundle with the same markup as `BundleView`, so that readers do not notice when `BundleView`
 * replaces it.
 */
export async function drawEarlyBundle(
  bundle: EarlyBundle,
  { renderer, ...words }: EarlyWords & { renderer: Renderer | null },
): Promise<void> {
  const { page, items } = bundle.manifest
  const text = element('section', 'dl-bundle-text')
  if (bundle.decrypted) text.addEventListener('click', followInside)
  const { heading, begins } = drawText(bundle, text, renderer)
  const title = bundle.title ?? heading ?? words.words.title
  const head: HTMLElement[] = []
  if (bundle.title !== null || heading === null) {
    const shown = element('h1', 'dl-bundle-title', [title])
    shown.dir = 'auto'
    head.push(shown)
  }
  head.push(drawFacts(bundle, words))
  if (words.sealedWords) head.push(drawBadge(words.sealedWords))
  head.push(element('div', 'dl-bundle-tools'))
  const shown = itemsIn(bundle.manifest, '', readingSettings())
  const article = element('article', 'dl-bundle', [
    element('header', 'dl-bundle-head', head),
    ...(page ? [text] : []),
    ...(items.length > 0 ? [drawItems(bundle, { folder: ROOT, items: shown }, words.language)] : []),
  ])
  if (bundle.decrypted) keepEarlyText(bundle.slug, article)
  show(article, title)
  await begins
}
