import { readLongText } from './long-text.ts'
import { sanitisedNodes } from './sanitise.ts'

interface Showing {
  readonly signal: AbortSignal
  /** Called for each piece as it comes into the page. */
  readonly onPiece?: (piece: HTMLElement) => void
}

/** After this long the page gets a turn. */
const TURN_MS = 24

const sources = new WeakMap<Element, string>()

const nextTurn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve())
    port1.start()
    port2.postMessage(null)
  })

/** Pieces that are in the page from an earlier version of the text. */
function piecesByHtml(root: HTMLElement): Map<string, HTMLElement[]> {
  const found = new Map<string, HTMLElement[]>()
  for (const child of root.children) {
    const html = sources.get(child)
    if (html === undefined || !(child instanceof HTMLElement)) continue
    found.set(html, [...(found.get(html) ?? []), child])
  }
  return found
}

function makePiece(html: string): HTMLElement {
  const piece = document.createElement('div')
  piece.className = 'dl-piece'
  // Sanitised here, whatever the worker made.
  piece.append(sanitisedNodes(html))
  sources.set(piece, html)
  return piece
}

/**
 * Shows a long text piece by piece, and lets the page answer in between. Pieces of an earlier version that are still the
 * same stay where they are.
 */
export async function showInPieces(root: HTMLElement, text: string, showing: Showing): Promise<void> {
  const { signal, onPiece } = showing
  const earlier = piecesByHtml(root)
  let before: ChildNode | null = root.firstChild
  let turnEndsAt = performance.now() + TURN_MS
  for await (const html of readLongText(text).read(signal)) {
    const kept = earlier.get(html)?.shift()
    const piece = kept ?? makePiece(html)
    if (piece === before) before = piece.nextSibling
    else root.insertBefore(piece, before)
    if (!kept) onPiece?.(piece)
    if (performance.now() < turnEndsAt) continue
    await nextTurn()
    if (signal.aborted || !root.isConnected) return
    turnEndsAt = performance.now() + TURN_MS
  }
  if (signal.aborted) return
  while (before) {
    const next: ChildNode | null = before.nextSibling
    before.remove()
    before = next
  }
}
