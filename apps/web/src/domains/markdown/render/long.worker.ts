import { type TextFacts, cutHead, cutMarkdown } from './pieces.ts'

/** Messages from the worker: a provisional start, the title and headings, then the text in parts. */
export type WorkerReply =
  | { readonly kind: 'head'; readonly pieces: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: TextFacts }
  | { readonly kind: 'pieces'; readonly pieces: readonly string[]; readonly isLast: boolean }

/** The first parts are small, so that the user can start reading early. */
const FIRST_PARTS = [1, 2, 4]
const LATER_PART = 8

const send = (reply: WorkerReply) => {
  self.postMessage(reply, [])
}

function readWhole(text: string) {
  const { pieces, ...facts } = cutMarkdown(text)
  send({ kind: 'facts', facts })
  let part: string[] = []
  let parts = 0
  for (const piece of pieces) {
    part.push(piece)
    if (part.length < (FIRST_PARTS[parts] ?? LATER_PART)) continue
    send({ kind: 'pieces', pieces: part, isLast: false })
    part = []
    parts += 1
  }
  send({ kind: 'pieces', pieces: part, isLast: true })
}

let text = ''

/** Receives a text and sends its start at once. Receives `null` to request the rest. */
self.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
  if (data === null) return readWhole(text)
  text = data
  send({ kind: 'head', pieces: cutHead(text) })
})
