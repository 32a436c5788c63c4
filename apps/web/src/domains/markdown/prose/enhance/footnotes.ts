import { type ReadingWords, fill } from './words.ts'

/** Adds a heading above the footnotes and accessible names to their links. */
export function enhanceFootnotes(root: HTMLElement, words: ReadingWords): void {
  for (const list of root.querySelectorAll<HTMLOListElement>('ol.footnotes')) {
    list.setAttribute('aria-label', words.footnotes)
    if (list.start !== 1 || list.previousElementSibling?.className === 'dl-footnotes-title') continue
    const title = document.createElement('p')
    title.className = 'dl-footnotes-title'
    title.textContent = words.footnotes
    list.before(title)
  }
  for (const link of root.querySelectorAll('a.footnote-ref')) {
    link.setAttribute('aria-label', fill(words.footnote, { number: link.textContent }))
  }
  for (const link of root.querySelectorAll('a.footnote-back'))
    link.setAttribute('aria-label', words.backToText)
}
