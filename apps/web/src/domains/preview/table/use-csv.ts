import { KIB } from '@dropleaf/contract'
import { useRef, useState } from 'react'
import { detectEncoding, type Encoding, isPlain } from '../../../lib/text/detect-encoding.ts'
import { extensionOf } from '../kinds/file-kind.ts'
import { readRange } from '../reading/byte-source.ts'
import type { PreviewSource } from '../preview-source.ts'
import { usePreviewData } from '../use-preview-data.ts'
import { createCsvReader, type CsvReader, type Delimiter, findDelimiter, readInstruction } from './csv.ts'

const WINDOW_BYTES = 256 * KIB

/** The user's selection; `null` means automatic detection. */
interface CsvFormat {
  readonly delimiter: Delimiter | null
  readonly encoding: Encoding | null
}

interface Reading {
  encoding: Encoding
  /**
   * Whether the encoding is still undecided: the bytes read so far fit several encodings, and the user has not selected
   * one.
   */
  isOpen: boolean
  readonly delimiter: Delimiter
  decoder: TextDecoder
  readonly reader: CsvReader
  /** Rows are appended to this array in place. */
  readonly rows: string[][]
  nextByte: number
}

/** Reads the start of a table. */
export async function startCsv(
  source: PreviewSource,
  format: CsvFormat,
  signal: AbortSignal,
): Promise<Reading> {
  const bytes = await readRange(source, { firstByte: 0, lastByte: WINDOW_BYTES - 1, signal })
  const encoding = format.encoding ?? (await detectEncoding(bytes))
  const decoder = new TextDecoder(encoding)
  const { text, delimiter: said } = readInstruction(decoder.decode(bytes, { stream: true }))
  const delimiter = format.delimiter ?? said ?? findDelimiter(text, extensionOf(source.name))
  const reader = createCsvReader(delimiter)
  const rows = reader.push(text)
  if (bytes.length < WINDOW_BYTES || bytes.length >= source.sizeBytes)
    rows.push(...reader.push(decoder.decode()), ...reader.end())
  const isOpen = !format.encoding && isPlain(bytes)
  return { encoding, isOpen, delimiter, decoder, reader, rows, nextByte: bytes.length }
}

export async function readOn(source: PreviewSource, reading: Reading): Promise<void> {
  const firstByte = reading.nextByte
  const bytes = await readRange(source, { firstByte, lastByte: firstByte + WINDOW_BYTES - 1 })
  reading.nextByte += bytes.length
  const isLast = bytes.length === 0 || reading.nextByte >= source.sizeBytes
  if (bytes.length === 0) reading.nextByte = source.sizeBytes
  if (reading.isOpen && !isPlain(bytes)) {
    reading.isOpen = false
    reading.encoding = await detectEncoding(bytes)
    reading.decoder = new TextDecoder(reading.encoding)
  }
  const { decoder, reader } = reading
  for (const row of reader.push(decoder.decode(bytes, { stream: !isLast }))) reading.rows.push(row)
  if (isLast) for (const row of reader.end()) reading.rows.push(row)
}

export interface Csv {
  readonly rows: readonly (readonly string[])[]
  readonly delimiter: Delimiter
  readonly encoding: Encoding
  readonly isComplete: boolean
  readonly error: unknown
  readonly readMore: () => void
}

/** Reads a table of any length. Loads more rows while the user scrolls. */
export function useCsv(source: PreviewSource, format: CsvFormat): Csv | undefined {
  const reading = usePreviewData({
    source,
    key: ['csv', format.delimiter, format.encoding],
    load: (signal) => startCsv(source, format, signal),
  })
  const [error, setError] = useState<unknown>(null)
  const [, setCount] = useState(0)
  const isBusy = useRef(false)
  if (!reading) return undefined
  const { rows, delimiter, encoding } = reading
  const isComplete = reading.nextByte >= source.sizeBytes
  return {
    rows,
    delimiter,
    encoding,
    isComplete,
    error,
    readMore: () => {
      if (isBusy.current || isComplete) return
      isBusy.current = true
      readOn(source, reading)
        .then(
          () => setError(null),
          (failure: unknown) => setError(failure),
        )
        .finally(() => {
          isBusy.current = false
          setCount(rows.length)
        })
    },
  }
}
