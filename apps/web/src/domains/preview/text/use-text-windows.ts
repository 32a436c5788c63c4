import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { detectEncoding, type Encoding, isPlain } from '../../../lib/text/detect-encoding.ts'
import { readRange } from '../reading/byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'
import { headQuery } from '../kinds/shown-kind.ts'
import { usePreviewData } from '../use-preview-data.ts'
import {
  addFirst,
  addLast,
  cutBeginning,
  cutEnd,
  lineAfter,
  type TextPiece,
  toLines,
  WINDOW_BYTES,
} from './text-windows.ts'

/** The encoding, based on the bytes read so far. */
interface Guess {
  readonly encoding: Encoding
  /**
   * Whether the encoding is undecided. Later bytes that are valid in only some encodings can decide it, or the user
   * can.
   */
  readonly isOpen: boolean
}

interface Reading {
  readonly source: PreviewSource
  readonly guess: Guess
  readonly signal?: AbortSignal
}

interface Read {
  readonly piece: TextPiece
  readonly guess: Guess
}

const decode = (bytes: Uint8Array, encoding: Encoding) => new TextDecoder(encoding).decode(bytes)

/**
 * Detects the encoding again if it is undecided. The text that was read before is the same in every possible
 * encoding.
 */
async function guessAgain(before: Guess, bytes: Uint8Array): Promise<Guess> {
  if (!before.isOpen || isPlain(bytes)) return before
  return { encoding: await detectEncoding(bytes), isOpen: false }
}

async function guessFirst(bytes: Uint8Array, chosenEncoding: Encoding | null): Promise<Guess> {
  if (chosenEncoding) return { encoding: chosenEncoding, isOpen: false }
  return { encoding: await detectEncoding(bytes), isOpen: isPlain(bytes) }
}

async function readAfter(
  { source, guess: before, signal }: Reading,
  firstByte: number,
  firstLine: number | null,
): Promise<Read> {
  const bytes = await readRange(source, { firstByte, lastByte: firstByte + WINDOW_BYTES - 1, signal })
  const guess = await guessAgain(before, bytes)
  return { guess, piece: toPiece(bytes, { source, guess }, { firstByte, firstLine }) }
}

function toPiece(
  bytes: Uint8Array,
  { source, guess: { encoding } }: Reading,
  { firstByte, firstLine }: Pick<TextPiece, 'firstByte' | 'firstLine'>,
): TextPiece {
  const isLast = bytes.length < WINDOW_BYTES || firstByte + bytes.length >= source.sizeBytes
  const whole = cutEnd(bytes, encoding, isLast)
  const endByte = isLast ? source.sizeBytes : firstByte + whole.length
  return { firstByte, endByte, firstLine, lines: toLines(decode(whole, encoding), isLast) }
}

async function readBefore({ source, guess: before, signal }: Reading, endByte: number): Promise<Read> {
  const start = Math.max(0, endByte - WINDOW_BYTES)
  const bytes = await readRange(source, { firstByte: start, lastByte: endByte - 1, signal })
  const guess = await guessAgain(before, cutBeginning(bytes, before.encoding, start === 0))
  const whole = cutBeginning(bytes, guess.encoding, start === 0)
  const firstByte = start + bytes.length - whole.length
  const piece = {
    firstByte,
    endByte,
    firstLine: firstByte === 0 ? 1 : null,
    lines: toLines(decode(whole, guess.encoding), endByte >= source.sizeBytes),
  }
  return { guess, piece }
}

/** A text of any length, of which a part is loaded. */
export interface TextWindows extends Guess {
  readonly pieces: readonly TextPiece[]
  readonly hasBefore: boolean
  readonly hasAfter: boolean
  /** Error of the last read; the next read tries again. */
  readonly error: unknown
  readonly showBefore: () => void
  readonly showAfter: () => void
  readonly goTo: (place: 'beginning' | 'end') => void
}

interface Shown {
  /** Changes when the text is shown from the start again. */
  readonly first: unknown
  readonly guess: Guess
  readonly pieces: readonly TextPiece[]
  readonly error: unknown
}

/**
 * @param chosenEncoding the encoding selected by the user, or `null`
 * @returns `undefined` while the start of the text loads
 */
export function useTextWindows(
  source: PreviewSource,
  chosenEncoding: Encoding | null,
): TextWindows | undefined {
  const queryClient = useQueryClient()
  const first = usePreviewData({
    source,
    key: ['text-window', chosenEncoding],
    load: async () => {
      const bytes = await queryClient.ensureQueryData(headQuery(source))
      const guess = await guessFirst(bytes, chosenEncoding)
      return { guess, piece: toPiece(bytes, { source, guess }, { firstByte: 0, firstLine: 1 }) }
    },
  })
  const [changed, setChanged] = useState<Shown | null>(null)
  const isBusy = useRef(false)
  if (!first) return undefined
  const shown = changed?.first === first ? changed : { first, ...first, pieces: [first.piece], error: null }
  const { pieces, guess } = shown
  const head = pieces[0] ?? first.piece
  const tail = pieces.at(-1) ?? first.piece
  const reading = { source, guess }
  const change = (read: () => Promise<Pick<Shown, 'pieces' | 'guess'>>) => {
    if (isBusy.current) return
    isBusy.current = true
    read()
      .then(
        (next) => setChanged({ first, ...next, error: null }),
        (error: unknown) => setChanged({ first, guess, pieces, error }),
      )
      .finally(() => {
        isBusy.current = false
      })
  }
  const readLast = async () => {
    const last = await readBefore(reading, source.sizeBytes)
    return { guess: last.guess, pieces: [last.piece] }
  }
  return {
    ...guess,
    pieces,
    hasBefore: head.firstByte > 0,
    hasAfter: tail.endByte < source.sizeBytes,
    error: shown.error,
    showBefore: () =>
      change(async () => {
        const { piece, guess: next } = await readBefore(reading, head.firstByte)
        return { guess: next, pieces: addFirst(pieces, piece) }
      }),
    showAfter: () =>
      change(async () => {
        const { piece, guess: next } = await readAfter(reading, tail.endByte, lineAfter(tail))
        return { guess: next, pieces: addLast(pieces, piece) }
      }),
    goTo: (place) =>
      change(place === 'beginning' ? () => Promise.resolve({ guess, pieces: [first.piece] }) : readLast),
  }
}
