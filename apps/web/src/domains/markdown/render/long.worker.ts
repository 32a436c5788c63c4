import { type TextFacts, cutHead, cutMarkdown } from './pieces.ts'

/** What the worker tells: a beginning that may change yet, the facts, then the text in parts. */
export type Told =
  | { readonly kind: 'head'; readonly pieces: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: TextFacts }
  | { readonly kind: 'pieces'; readonly pieces: readonly string[]; readonly isLast: boolean }

/** The first part is small, so that something can be read soon. */
const FIRST_PARTS = [1, 2, 4]
const LATER_PART = 8

const tell = (told: Told) => {
  self.postMessage(told, [])
}

function readWhole(text: string) {
  const { pieces, ...facts } = cutMarkdown(text)
  tell({ kind: 'facts', facts })
  let part: string[] = []
  let parts = 0
  for (const piece of pieces) {
    part.push(piece)
    if (part.length < (FIRST_PARTS[parts] ?? LATER_PART)) continue
    tell({ kind: 'pieces', pieces: part, isLast: false })
    part = []
    parts += 1
  }
  tell({ kind: 'pieces', pieces: part, isLast: true })
}

let text = ''

/** A text, whose beginning is told at once, and then `null` for all of it. */
self.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
  if (data === null) return readWhole(text)
  text = data
  tell({ kind: 'head', pieces: cutHead(text) })
})
