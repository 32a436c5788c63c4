import type { WorkerReply } from './long.worker.ts'
import { type TextFacts, cutMarkdown } from './pieces.ts'

/** A long text that a worker parses, shared by all readers. The start is available first, the rest on request. */
class Reading {
  readonly text: string
  readonly pieces: string[] = []
  readonly #head = Promise.withResolvers<readonly string[]>()
  readonly #facts = Promise.withResolvers<TextFacts>()
  #isWhole = false
  #isAskedForAll = false
  #readers = 0
  #news = Promise.withResolvers<void>()
  #worker: Worker | null = null

  constructor(text: string) {
    this.text = text
    try {
      this.#worker = new Worker(new URL('./long.worker.ts', import.meta.url), { type: 'module' })
      this.#worker.addEventListener('message', ({ data }: MessageEvent<WorkerReply>) => this.#take(data))
      this.#worker.addEventListener('error', () => this.#readHere())
      this.#worker.postMessage(text, [])
    } catch {
      this.#readHere()
    }
  }

  get facts(): Promise<TextFacts> {
    this.#goOn()
    return this.#facts.promise
  }

  /** The first pieces, rendered before the whole text is parsed. A few of these pieces can still change. */
  get head(): Promise<readonly string[]> {
    return this.#head.promise
  }

  #take(reply: WorkerReply) {
    if (reply.kind === 'head') return this.#head.resolve(reply.pieces)
    if (reply.kind === 'facts') return this.#facts.resolve(reply.facts)
    this.pieces.push(...reply.pieces)
    if (reply.isLast) this.#end()
    this.#news.resolve()
    this.#news = Promise.withResolvers()
  }

  #goOn() {
    if (this.#isAskedForAll) return
    this.#isAskedForAll = true
    this.#worker?.postMessage(null, [])
  }

  #end() {
    this.#isWhole = true
    this.#head.resolve([])
    this.#worker?.terminate()
    this.#worker = null
  }

  /** Parses the text on the main thread if the worker cannot start or fails. Parsing then blocks the page. */
  #readHere() {
    if (this.#isWhole) return
    this.#end()
    const { pieces, ...facts } = cutMarkdown(this.text)
    this.pieces.splice(0, this.pieces.length)
    this.#take({ kind: 'facts', facts })
    this.#take({ kind: 'pieces', pieces: [...pieces], isLast: true })
  }

  /** Yields the unsanitised HTML of the text in pieces. Existing pieces are yielded without waiting. */
  async *read(signal: AbortSignal): AsyncGenerator<string> {
    this.#readers += 1
    this.#goOn()
    try {
      for (let index = 0; !signal.aborted;) {
        const piece = this.pieces[index]
        if (piece !== undefined) {
          yield piece
          index += 1
        } else if (this.#isWhole) return
        else await this.#news.promise
      }
    } finally {
      this.#readers -= 1
      this.#stopUnlessWanted()
    }
  }

  /** Stops parsing if the text has no readers one second later. */
  #stopUnlessWanted() {
    setTimeout(() => {
      if (this.#readers > 0 || this.#isWhole) return
      this.#end()
      this.#news.resolve()
      if (last === this) last = null
    }, 1000)
  }
}

let last: Reading | null = null

/**
 * Returns the reading of a long text. Caches the latest reading, so that the app can reuse the reading of the early
 * page.
 */
export function readLongText(text: string): Reading {
  if (last?.text !== text) last = new Reading(text)
  return last
}
