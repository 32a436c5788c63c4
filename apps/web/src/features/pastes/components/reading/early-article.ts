import type { ReadablePaste } from '@dropleaf/contract'
import { element, fillWords } from '../../../../lib/browser/dom-element.ts'
import {
  LONG_MARKDOWN_CHARACTERS,
  noteDrawing,
  type Renderer,
} from '../../../../domains/markdown/render/load.ts'
import type { FirstLocale } from '../../../../locales/zh-CN/index.ts'
import { madeHtml } from '../../../../lib/browser/trusted-types.ts'
import '../../../../domains/markdown/prose/prose.css'
import './paste-article.css'
import { drawLines } from '../../../../ui/text-lines/draw-lines.ts'
import { parseLines } from '../../../../ui/text-lines/line-range.ts'
import type { FactWord } from './paste-facts.ts'
import { firstFormat, pasteFacts } from './paste-facts.ts'

interface Drawing {
  locale: FirstLocale
  language: string
  renderer: Renderer
}

function fill(locale: FirstLocale, word: FactWord, values: Record<string, string>): string {
  const key = word.slice('paste.'.length) as 'created' | 'expires' | 'expiredAt' | 'viewsLeft' | 'lastView'
  return fillWords(locale.paste[key], values)
}

function drawFacts(paste: ReadablePaste, { locale, language }: Drawing) {
  const translate = (word: FactWord, values: Record<string, string>) => fill(locale, word, values)
  const items = pasteFacts(paste, { translate, language, nowMs: Date.now() }).map((fact) => {
    const item = element('li', '', [fact.text])
    if (fact.isUrgent) item.dataset['urgent'] = 'true'
    return item
  })
  return element('ul', 'dl-paste-facts', items)
}

function drawText(paste: ReadablePaste, { renderer }: Drawing) {
  const { hash } = window.location
  if (firstFormat(paste, hash) === 'plain') {
    const text = element('div', '')
    const { signal } = new AbortController()
    drawLines(text, paste.content, { signal, until: parseLines(hash)?.last ?? 1 })
    return { text, heading: null }
  }
  const text = element('div', 'dl-prose')
  if (paste.content.length > LONG_MARKDOWN_CHARACTERS) {
    // This signal is never aborted, because the app takes over the pieces that are still being rendered.
    const { signal } = new AbortController()
    const drawing = renderer.showInPieces(text, paste.content, { signal })
    noteDrawing(drawing)
    drawing.catch(reportError)
    return { text, heading: null, begins: renderer.beginsLongText(paste.content) }
  }
  const { html, title } = renderer.renderMarkdown(paste.content)
  text.innerHTML = madeHtml(html)
  return { text, heading: title }
}

/**
 * Renders a share with the same markup as `PasteArticle`, so that readers do not notice when `PasteArticle` replaces
 * it. Resolves when the first content is visible.
 */
export async function drawEarlyPaste(paste: ReadablePaste, drawing: Drawing): Promise<void> {
  const { text, heading, begins } = drawText(paste, drawing)
  const head = [drawFacts(paste, drawing), element('div', 'dl-paste-tools')]
  if (paste.remark) {
    const title = element('h1', 'dl-paste-title', [paste.remark])
    title.dir = 'auto'
    head.unshift(title)
  }
  const article = element('article', 'dl-paste', [element('header', 'dl-paste-head', head), text])
  const main = document.querySelector('#early main')
  main?.replaceChildren(article)
  main?.removeAttribute('aria-busy')
  document.title = `${paste.remark ?? heading ?? drawing.locale.shell.titles.paste} - Dropleaf`
  await begins
}
