import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { detectEncoding, type Encoding } from '../../../lib/detect-encoding.ts'
import { readRange } from '../byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'
import { headQuery } from '../shown-kind.ts'
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

interface Decoding {
  readonly source: PreviewSource
  readonly encoding: Encoding
  readonly signal?: AbortSignal
}

const decode = (bytes: Uint8Array, encoding: Encoding) => new TextDecoder(encoding).decode(bytes)

async function readAfter(
  { source, encoding, signal }: Decoding,
  firstByte: number,
  firstLine: number | null,
): Promise<TextPiece> {
  const bytes = await readRange(source, { firstByte, lastByte: firstByte + WINDOW_BYTES - 1, signal })
  return toPiece(bytes, { source, encoding }, { firstByte, firstLine })
}

function toPiece(
  bytes: Uint8Array,
  { source, encoding }: Decoding,
  { firstByte, firstLine }: Pick<TextPiece, 'firstByte' | 'firstLine'>,
): TextPiece {
  const isLast = bytes.length < WINDOW_BYTES || firstByte + bytes.length >= source.sizeBytes
  const whole = cutEnd(bytes, encoding, isLast)
  const endByte = isLast ? source.sizeBytes : firstByte + whole.length
  return { firstByte, endByte, firstLine, lines: toLines(decode(whole, encoding), isLast) }
}

async function readBefore({ source, encoding, signal }: Decoding, endByte: number): Promise<TextPiece> {
  const start = Math.max(0, endByte - WINDOW_BYTES)
  const bytes = await readRange(source, { firstByte: start, lastByte: endByte - 1, signal })
  const whole = cutBeginning(bytes, encoding, start === 0)
  const firstByte = start + bytes.length - whole.length
  return {
    firstByte,
    endByte,
    firstLine: firstByte === 0 ? 1 : null,
    lines: toLines(decode(whole, encoding), endByte >= source.sizeBytes),
  }
}

/** A text of any length, of which a part is there. */
export interface TextWindows {
  readonly encoding: Encoding
  readonly pieces: readonly TextPiece[]
  readonly hasBefore: boolean
  readonly hasAfter: boolean
  /** What did not come; asking again tries again. */
  readonly error: unknown
  readonly showBefore: () => void
  readonly showAfter: () => void
  readonly goTo: (place: 'beginning' | 'end') => void
}

interface Shown {
  /** Another beginning, another text. */
  readonly first: unknown
  readonly pieces: readonly TextPiece[]
  readonly error: unknown
}

/** @param wish an encoding that somebody has chosen. @returns `undefined` while the beginning comes */
export function useTextWindows(source: PreviewSource, wish: Encoding | null): TextWindows | undefined {
  const queryClient = useQueryClient()
  const first = usePreviewData({
    source,
    key: ['text-window', wish],
    load: async () => {
      const bytes = await queryClient.ensureQueryData(headQuery(source))
      const encoding = wish ?? (await detectEncoding(bytes))
      return { encoding, piece: toPiece(bytes, { source, encoding }, { firstByte: 0, firstLine: 1 }) }
    },
  })
  const [changed, setChanged] = useState<Shown | null>(null)
  const isBusy = useRef(false)
  if (!first) return undefined
  const { encoding } = first
  const shown = changed?.first === first ? changed : { first, pieces: [first.piece], error: null }
  const { pieces } = shown
  const head = pieces[0] ?? first.piece
  const tail = pieces.at(-1) ?? first.piece
  const change = (read: () => Promise<readonly TextPiece[]>) => {
    if (isBusy.current) return
    isBusy.current = true
    read()
      .then(
        (next) => setChanged({ first, pieces: next, error: null }),
        (error: unknown) => setChanged({ first, pieces, error }),
      )
      .finally(() => {
        isBusy.current = false
      })
  }
  return {
    encoding,
    pieces,
    hasBefore: head.firstByte > 0,
    hasAfter: tail.endByte < source.sizeBytes,
    error: shown.error,
    showBefore: () =>
      change(async () => addFirst(pieces, await readBefore({ source, encoding }, head.firstByte))),
    showAfter: () =>
      change(async () =>
        addLast(pieces, await readAfter({ source, encoding }, tail.endByte, lineAfter(tail))),
      ),
    goTo: (place) =>
      change(async () =>
        place === 'beginning' ? [first.piece] : [await readBefore({ source, encoding }, source.sizeBytes)],
      ),
  }
}
