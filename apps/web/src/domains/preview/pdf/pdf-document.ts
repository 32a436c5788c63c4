import { KIB } from '@dropleaf/contract'
import type * as Library from 'pdfjs-dist'
import type { PDFDocumentLoadingTask, PDFDocumentProxy, PDFWorker } from 'pdfjs-dist'
import { readRange } from '../reading/byte-source.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'
import { basePath } from '../../../lib/browser/base-path.ts'

declare const __PDF_ASSETS__: string

const CHUNK_BYTES = 128 * KIB
const PAGES_OF = { cMapUrl: 'cmaps/', standardFontDataUrl: 'standard_fonts/', wasmUrl: 'wasm/' } as const

/** Asks the user for the password. `isWrong` means that the previous password was wrong. */
type AskPassword = (isWrong: boolean, answer: (password: string) => void) => void

interface OpenOptions {
  readonly source: PreviewSource
  readonly signal: AbortSignal
  readonly askPassword: AskPassword
  /** Called when a part of the file cannot be loaded. */
  readonly onFault: (error: Error) => void
}

export type PdfJs = typeof Library

/**
 * Loads the library. The viewer must be loaded after the library, because it expects the library in a global
 * variable.
 */
export const loadPdfJs = (): Promise<PdfJs> => import('pdfjs-dist')

/** Loads only the parts of the file that the visible pages need. */
function readInParts(pdfjs: PdfJs, { source, signal, onFault }: OpenOptions, first: Uint8Array) {
  const transport = new pdfjs.PDFDataRangeTransport(source.sizeBytes, first)
  const read = async (begin: number, end: number) => {
    const bytes = await readRange(source, { firstByte: begin, lastByte: end - 1, signal })
    if (bytes.length < end - begin) throw new PreviewError('damaged')
    transport.onDataRange(begin, bytes)
  }
  transport.requestDataRange = (begin, end) => {
    read(begin, end).catch((error: unknown) => {
      if (!signal.aborted) onFault(error instanceof Error ? error : new PreviewError('damaged', error))
    })
  }
  return transport
}

function addresses() {
  const entries = Object.entries(PAGES_OF)
  return Object.fromEntries(entries.map(([name, folder]) => [name, basePath + __PDF_ASSETS__ + folder]))
}

function startWorker(pdfjs: PdfJs, signal: AbortSignal): PDFWorker {
  const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
  const worker = pdfjs.PDFWorker.create({ port })
  signal.addEventListener('abort', () => {
    worker.destroy()
    port.terminate()
  })
  return worker
}

function toFault(error: unknown): Error {
  const name = error instanceof Error ? error.name : ''
  if (['PreviewError', 'ApiError'].includes(name)) return error as Error
  return new PreviewError(name === 'PasswordException' ? 'encrypted' : 'damaged', error)
}

/**
 * Opens a PDF document. Aborting the signal closes the document.
 * @throws {PreviewError} `damaged`, `encrypted`
 * @throws the errors of {@link readRange}
 */
export async function openPdf(pdfjs: PdfJs, options: OpenOptions): Promise<PDFDocumentProxy> {
  const { source, signal, askPassword } = options
  const first = await readRange(source, { firstByte: 0, lastByte: CHUNK_BYTES - 1, signal })
  signal.throwIfAborted()
  const isWhole = first.length >= source.sizeBytes
  const task: PDFDocumentLoadingTask = pdfjs.getDocument({
    ...(isWhole ? { data: first } : { range: readInParts(pdfjs, options, first) }),
    ...addresses(),
    cMapPacked: true,
    rangeChunkSize: CHUNK_BYTES,
    disableAutoFetch: true,
    disableStream: true,
    enableXfa: false,
    // Our CSP allows neither WebAssembly nor `eval`.
    useWasm: false,
    isEvalSupported: false,
    verbosity: 0,
    worker: startWorker(pdfjs, signal),
  })
  signal.addEventListener('abort', () => void task.destroy().catch(() => undefined))
  task.onPassword = (answer: (password: string) => void, reason: number) => {
    askPassword(reason === pdfjs.PasswordResponses.INCORRECT_PASSWORD, answer)
  }
  return task.promise.catch((error: unknown) => {
    throw toFault(error)
  })
}
