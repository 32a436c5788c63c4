import { readLongText } from './long-text.ts'
import { sanitisedNodes } from './sanitise.ts'

interface Showing {
  readonly signal: AbortSignal
  /** Called for each piece as it comes into the page. */
  readonly onPiece?: (piece: HTMLElement) => void
}

/** After this long the page gets a turn: soon while the first screens come, less often later, when each frame costs more. */
const FIRST_TURN_MS = 12
const LATER_TURN_MS = 40
const FIRST_PIECES = 30

const sources = new WeakMap<Element, string>()

/** What draws a text before the app is there leaves its pieces to the app. */
let undressed: { readonly text: string; readonly root: HTMLElement; readonly stop: AbortController } | null =
  null

/** Takes over the pieces that are shown elsewhere already. */
function takeOver(root: HTMLElement, text: string): ReadonlySet<Element> {
  const found = undressed?.text === text && undressed.root !== root ? undressed : null
  if (!found) return new Set()
  found.stop.abort()
  undressed = null
  const taken = [...found.root.children]
  root.replaceChildren(...taken)
  return new Set(taken)
}

const nextTurn = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => resolve())
    port1.start()
    port2.postMessage(null)
  })

/** Not every browser tells when it is idle. */
const nextIdleTurn = () =>
  'requestIdleCallback' in window
    ? new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve(), { timeout: 200 })
      })
    : nextTurn()

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
  const { onPiece } = showing
  const stop = new AbortController()
  const signal = AbortSignal.any([showing.signal, stop.signal])
  const taken = takeOver(root, text)
  if (!onPiece) undressed = { text, root, stop }
  const earlier = piecesByHtml(root)
  let before: ChildNode | null = root.firstChild
  let shown = 0
  let turnEndsAt = performance.now() + FIRST_TURN_MS
  for await (const html of readLongText(text).read(signal)) {
    const kept = earlier.get(html)?.shift()
    const piece = kept ?? makePiece(html)
    if (piece === before) before = piece.nextSibling
    else root.insertBefore(piece, before)
    if (!kept || taken.has(kept)) onPiece?.(piece)
    shown += 1
    if (performance.now() < turnEndsAt) continue
    await (shown < FIRST_PIECES ? nextTurn() : nextIdleTurn())
    if (signal.aborted || !root.isConnected) return
    turnEndsAt = performance.now() + (shown < FIRST_PIECES ? FIRST_TURN_MS : LATER_TURN_MS)
  }
  if (signal.aborted) return
  while (before) {
    const next: ChildNode | null = before.nextSibling
    before.remove()
    before = next
  }
}
