import { readLongText } from './long-text.ts'
import { frameCutTables } from './cut-tables.ts'
import type { RelativeFiles } from './relative-links.ts'
import { divideLongCode } from './long-code.ts'
import { PieceLayout } from './piece-layout.ts'
import { sanitisedNodes } from './sanitise.ts'
import { nextFrame, nextIdleTurn, nextTurn } from '../../../lib/browser/scheduling.ts'

interface Showing {
  readonly signal: AbortSignal
  /** Called for each piece as it comes into the page. */
  readonly onPiece?: (piece: HTMLElement) => void
  /** Given where pictures and recordings of other hosts are to be left out: the names of these hosts so far. */
  readonly onLeftOut?: ((hosts: ReadonlySet<string>) => void) | undefined
  /** Given where relative addresses lead to other files. */
  readonly beside?: RelativeFiles | null
}

/** After this long the page gets a turn: soon while the first screens come, less often later, when each frame costs more. */
const FIRST_TURN_MS = 12
const LATER_TURN_MS = 30
const FIRST_PIECES = 30
/** Each of the first pieces is seen before the next comes: they are laid out one by one. */
const SEEN_PIECES = 4

/** What draws a text before the app is there leaves its pieces to the app. */
let undressed: { readonly text: string; readonly root: HTMLElement; readonly stop: AbortController } | null =
  null

/** Takes over the pieces that are shown elsewhere already. */
function takeOver(root: HTMLElement, text: string): ReadonlySet<Element> {
  const found = undressed?.text === text && undressed.root !== root ? undressed : null
  if (!found) return new Set()
  found.stop.abort()
  undressed = null
  root.replaceChildren(...found.root.children)
  return new Set(root.querySelectorAll('.dl-piece'))
}

function pieceMaker({ onLeftOut, beside = null }: Showing) {
  const hosts = onLeftOut ? new Set<string>() : null
  return (html: string): HTMLElement => {
    const known = hosts?.size
    const piece = document.createElement('div')
    piece.className = 'dl-piece'
    // Sanitised here, whatever the worker made.
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

/** Fonts are looked for when a text first needs them, which takes a while for each: now, when there is nothing else to do. */
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

/** Shows how the text begins, without waiting for the rest. */
async function showHead(root: HTMLElement, text: string, showing: Showing): Promise<void> {
  const { signal, onPiece } = showing
  const layout = new PieceLayout(root, pieceMaker(showing))
  const { head } = readLongText(text)
  await lookUpFonts(root, text)
  for (const html of await head) {
    if (signal.aborted || !root.isConnected) return
    const { piece } = layout.add(html)
    onPiece?.(piece)
    await nextFrame()
  }
}

/** The app is there by then, unless the line is slow. */
const APP_WAIT_MS = 2000

/**
 * Until the app takes over, or somebody wants to see more than the beginning: where there are few cores, reading the whole
 * text and starting the app hold each other up.
 */
const moreIsWanted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (window.location.hash) resolve()
    const once = { once: true, signal }
    signal.addEventListener('abort', () => resolve(), { once: true })
    window.addEventListener('scroll', () => resolve(), { ...once, passive: true })
    setTimeout(resolve, APP_WAIT_MS)
  })

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
  // Listened for from the start: who scrolls at once wants it too.
  const more = onPiece ? null : moreIsWanted(signal)
  if (!root.firstChild) await showHead(root, text, { ...showing, signal })
  if (more && root.firstChild) await more
  if (signal.aborted) return
  const layout = new PieceLayout(root, pieceMaker(showing))
  // The app is shown before the rest is read.
  if (taken.size > 0) await nextFrame()
  if (signal.aborted) return
  let shown = root.firstChild ? SEEN_PIECES : 0
  let turnEndsAt = performance.now() + FIRST_TURN_MS
  for await (const html of readLongText(text).read(signal)) {
    const { piece, isNew } = layout.add(html)
    if (isNew || taken.has(piece)) onPiece?.(piece)
    shown += 1
    if (shown > SEEN_PIECES && performance.now() < turnEndsAt) continue
    await nextPlace(shown)
    if (signal.aborted || !root.isConnected) return
    turnEndsAt = performance.now() + (shown < FIRST_PIECES ? FIRST_TURN_MS : LATER_TURN_MS)
  }
  if (!signal.aborted) layout.end()
}
