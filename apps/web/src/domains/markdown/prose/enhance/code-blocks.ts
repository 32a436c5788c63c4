import { highlight, highlightedBefore } from '../../highlight.ts'
import { madeHtml } from '../../../../lib/browser/trusted-types.ts'
import type { Enhancement } from './enhance.ts'
import { fill } from './words.ts'
import './code-blocks.css'

/** Code blocks with more lines are collapsed at first. */
const FOLDED_ABOVE_LINES = 40
/** Languages whose rendered result can be shown. */
const PAGES = new Set(['html', 'htm', 'xhtml', 'svg'])
/** Languages that are rendered as graphics instead of being highlighted. */
const DRAWN = new Set(['math', 'mermaid'])

const languageOf = (code: Element): string | null => /^language-(.+)$/.exec(code.className)?.[1] ?? null

function button(className: string, label: string, onPress: (pressed: HTMLButtonElement) => void) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.textContent = label
  made.addEventListener('click', () => onPress(made))
  return made
}

/** Adds a frame with buttons to a code block. */
function frame(block: HTMLPreElement, code: HTMLElement, enhancement: Enhancement): void {
  const { words } = enhancement
  const text = code.textContent
  const around = document.createElement('div')
  around.className = 'dl-code'
  block.replaceWith(around)
  block.tabIndex = 0
  const copy = button('dl-code-copy', words.copy, () => enhancement.copyText(text))
  const buttons = document.createElement('div')
  buttons.className = 'dl-code-buttons'
  if (PAGES.has(languageOf(code) ?? '')) {
    buttons.append(button('dl-code-copy', words.show, () => enhancement.open({ kind: 'page', html: text })))
  }
  buttons.append(copy)
  around.append(block, buttons)
  const lines = text.replace(/\n$/, '').split('\n').length
  if (lines <= FOLDED_ABOVE_LINES) return
  around.dataset['folded'] = 'true'
  const showAll = fill(words.showAll, { number: lines })
  const fold = button('dl-code-fold', showAll, (pressed) => {
    const isFolded = around.dataset['folded'] === 'true'
    around.dataset['folded'] = String(!isFolded)
    pressed.setAttribute('aria-expanded', String(isFolded))
    pressed.textContent = isFolded ? words.showLess : showAll
  })
  fold.setAttribute('aria-expanded', 'false')
  around.append(fold)
}

async function colour(code: HTMLElement, language: string, { signal }: Enhancement): Promise<void> {
  // Code stays uncoloured if the highlighter cannot be loaded.
  const html = await highlight(code.textContent, language).catch(() => null)
  // Safe to insert, because the highlighter escapes its input.
  if (html !== null && !signal.aborted) code.innerHTML = madeHtml(html)
}

/** Adds highlighting and buttons (copy, show the result, expand) to code blocks of sanitised text. */
export function enhanceCodeBlocks(root: HTMLElement, enhancement: Enhancement): void {
  for (const block of root.querySelectorAll('pre')) {
    const code = block.querySelector('code')
    if (!code || block.parentElement?.className === 'dl-code') continue
    const language = languageOf(code)
    if (language && DRAWN.has(language)) continue
    const known = language && highlightedBefore(code.textContent, language)
    frame(block, code, enhancement)
    if (known) code.innerHTML = madeHtml(known)
    else if (language) enhancement.near.add(block, () => colour(code, language, enhancement))
  }
}
