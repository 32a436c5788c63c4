import { highlight, highlightedBefore } from '../../lib/highlight.ts'
import './code-blocks.css'

interface Dressing {
  readonly words: {
    readonly copy: string
    readonly copied: string
    /** Of a block that is folded, by the number of its lines. */
    readonly showAll: (lines: number) => string
    readonly showLess: string
  }
  /** Answers whether it worked, and says so itself if not. */
  readonly copyText: (text: string) => Promise<boolean>
  /** Aborted when the text is no longer shown. */
  readonly signal: AbortSignal
}

/** A block of more lines than this begins folded. */
const FOLDED_ABOVE_LINES = 40
const COPIED_FOR_MS = 2000

const languageOf = (code: Element): string | null => /^language-(.+)$/.exec(code.className)?.[1] ?? null

function button(className: string, label: string, onPress: (pressed: HTMLButtonElement) => void) {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = className
  made.textContent = label
  made.addEventListener('click', () => onPress(made))
  return made
}

async function copyCode(
  text: string,
  pressed: HTMLButtonElement,
  { words, copyText }: Dressing,
): Promise<void> {
  if (!(await copyText(text))) return
  pressed.textContent = words.copied
  setTimeout(() => {
    pressed.textContent = words.copy
  }, COPIED_FOR_MS)
}

/** Puts a block into a frame with its buttons. */
function frame(block: HTMLPreElement, code: HTMLElement, dressing: Dressing): void {
  const { words } = dressing
  const text = code.textContent ?? ''
  const around = document.createElement('div')
  around.className = 'dl-code'
  block.replaceWith(around)
  block.tabIndex = 0
  const copy = button('dl-code-copy', words.copy, (pressed) => void copyCode(text, pressed, dressing))
  around.append(block, copy)
  const lines = text.replace(/\n$/, '').split('\n').length
  if (lines <= FOLDED_ABOVE_LINES) return
  around.dataset['folded'] = 'true'
  const showAll = words.showAll(lines)
  const fold = button('dl-code-fold', showAll, (pressed) => {
    const isFolded = around.dataset['folded'] === 'true'
    around.dataset['folded'] = String(!isFolded)
    pressed.setAttribute('aria-expanded', String(isFolded))
    pressed.textContent = isFolded ? words.showLess : showAll
  })
  fold.setAttribute('aria-expanded', 'false')
  around.append(fold)
}

/** Gives the blocks of code in sanitised text their colours, a button that copies and, to long ones, one that unfolds. */
export async function dressCodeBlocks(root: HTMLElement, dressing: Dressing): Promise<void> {
  const { signal } = dressing
  const waiting: { readonly code: HTMLElement; readonly language: string }[] = []
  for (const block of root.querySelectorAll('pre')) {
    const code = block.querySelector('code')
    if (!code || block.parentElement?.className === 'dl-code') continue
    const language = languageOf(code)
    const known = language && highlightedBefore(code.textContent ?? '', language)
    frame(block, code, dressing)
    // Made by the highlighter, which escapes what it is given.
    if (known) code.innerHTML = known
    else if (language) waiting.push({ code, language })
  }
  for (const { code, language } of waiting) {
    // One at a time, so that the page answers in between.
    const html = await highlight(code.textContent ?? '', language).catch(() => null)
    if (signal.aborted) return
    if (html !== null) code.innerHTML = html
  }
}
