import { readLongText } from './long-text.ts'
import { frameCutTables } from './cut-tables.ts'
import type { RelativeFiles } from './relative-links.ts'
import { divideLongCode } from './long-code.ts'
import { PieceLayout } from './piece-layout.ts'
import { sanitisedNodes } from './sanitise.ts'
import { nextFrame, nextIdleTurn, nextTurn } from '../../../lib/browser/scheduling.ts'

interface Showing {
  readonly signal: AbortSignal
  /**
   * Called once for each piece that is inserted or taken over from the early page. The early page passes no callback.
   */
  readonly onPiece?: (piece: HTMLElement) => void
  /** If set, blocks images and recordings from other hosts. Called with the names of all such hosts found so far. */
  readonly onLeftOut?: ((hosts: ReadonlySet<string>) => void) | undefined
  /** Files that relative URLs in the text can reference. */
  readonly beside?: RelativeFiles | null
}

/**
 * How long the code runs before it yields to the page. The time is short for the first screens and longer later,
 * because each frame then costs more.
 */
const FIRST_TURN_MS = 12
const LATER_TURN_MS = 30
const FIRST_PIECES = 30
/** Number of first pieces that are painted one by one. */
const SEEN_PIECES = 4

/** Pieces that the early page has rendered for the app. */
let earlyPieces: {
  readonly text: string
  readonly root: HTMLElement
  readonly stop: AbortController
  readonly hosts: ReadonlySet<string> | null
} | null = null

interface TakenOver {
  readonly pieces: ReadonlySet<Element>
  /** Other hosts that were blocked in the pieces. */
  readonly hosts: ReadonlySet<string>
}

/** Moves pieces that the early page has rendered into `root`. */
function takeOver(root: HTMLElement, text: string): TakenOver {
  const found = earlyPieces?.text === text && earlyPieces.root !== root ? earlyPieces : null
  if (!found) return { pieces: new Set(), hosts: new Set() }
  found.stop.abort()
  earlyPieces = null
  root.replaceChildren(...found.root.children)
  return { pieces: new Set(root.querySelectorAll('.dl-piece')), hosts: new Set(found.hosts) }
}

function pieceMaker({ onLeftOut, beside = null }: Showing, hosts: Set<string> | null) {
  return (html: string): HTMLElement => {
    const known = hosts?.size
    const piece = document.createElement('div')
    piece.className = 'dl-piece'
    // The second of two barriers: the worker's output is already restricted.
    piece.append(sanitisedNodes(html, { hosts, beside }))
    divideLongCode(piece)
    frameCutTables(piece)
    if (hosts && hosts.size !== known) onLeftOut?.(new Set(hosts))
    return piece
  }
}

function nextPlace(shown: number): Promise<void> {
  if (shown <= SEEN_PIECES) return nextFrame()
  return shown < FIRST_PIECES ? nextTurn() : nextIdleTurn()
}

const SAMPLE_CHARACTERS = 1000
const SAMPLE_TAGS = ['p', 'strong', 'em', 'code']

/** Makes the browser look up fonts while it is idle, because the first use of each font is slow. */
async function lookUpFonts(root: HTMLElement, text: string): Promise<void> {
  const letters = [...new Set(text.slice(0, SAMPLE_CHARACTERS).toWellFormed())].join('')
  for (const tag of SAMPLE_TAGS) {
    await nextTurn()
    const sample = document.createElement(tag)
    sample.textContent = letters
    Object.assign(sample.style, { position: 'absolute', visibility: 'hidden' })
    root.append(sample)
    sample.getBoundingClientRect()
    sample.remove()
  }
}

/** Shows the start of a text without waiting for the rest. */
async function showHead(
  root: HTMLElement,
  text: string,
  { hosts, ...showing }: Showing & { hosts: Set<string> | null },
): Promise<void> {
  const { signal, onPiece } = showing
  const layout = new PieceLayout(root, pieceMaker(showing, hosts))
  const { head } = readLongText(text)
  await lookUpFonts(root, text)
  for (const html of await head) {
    if (signal.aborted || !root.isConnected) return
    const { piece } = layout.add(html)
    onPiece?.(piece)
    await nextFrame()
  }
}

/** Maximum time to wait for the app to load. */
const APP_WAIT_MS = 2000

/**
 * Resolves when the app takes over, when the user scrolls, or after `APP_WAIT_MS`. Resolves at once if the URL has a
 * hash. Until then the rest is not parsed, because parsing and starting the app would slow each other down.
 */
const moreIsWanted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (window.location.hash) resolve()
    const once = { once: true, signal }
    signal.addEventListener('abort', () => resolve(), { once: true })
    window.addEventListener('scroll', () => resolve(), { ...once, passive: true })
    setTimeout(resolve, APP_WAIT_MS)
  })

/** Shows a long text piece by piece and yields in between. Unchanged pieces keep their elements. */
export async function showInPieces(root: HTMLElement, text: string, showing: Showing): Promise<void> {
  const { onPiece, onLeftOut } = showing
  const stop = new AbortController()
  const signal = AbortSignal.any([showing.signal, stop.signal])
  const taken = takeOver(root, text)
  const hosts = onLeftOut ? new Set(taken.hosts) : null
  if (hosts && hosts.size > 0) onLeftOut?.(new Set(hosts))
  if (!onPiece) earlyPieces = { text, root, stop, hosts }
  // The listeners are added before the text is shown, because the user can scroll at any time.
  const more = onPiece ? null : moreIsWanted(signal)
  if (!root.firstChild) await showHead(root, text, { ...showing, signal, hosts })
  if (more && root.firstChild) await more
  if (signal.aborted) return
  const layout = new PieceLayout(root, pieceMaker(showing, hosts))
  // Lets the app paint before the rest is parsed.
  if (taken.pieces.size > 0) await nextFrame()
  if (signal.aborted) return
  let shown = root.firstChild ? SEEN_PIECES : 0
  let turnEndsAt = performance.now() + FIRST_TURN_MS
  for await (const html of readLongText(text).read(signal)) {
    const { piece, isNew } = layout.add(html)
    if (isNew || taken.pieces.has(piece)) onPiece?.(piece)
    shown += 1
    if (shown > SEEN_PIECES && performance.now() < turnEndsAt) continue
    await nextPlace(shown)
    if (signal.aborted || !root.isConnected) return
    turnEndsAt = performance.now() + (shown < FIRST_PIECES ? FIRST_TURN_MS : LATER_TURN_MS)
  }
  if (!signal.aborted) layout.end()
}
