import { MARKDOWN_EXTENSIONS, MIB } from '@dropleaf/contract'
import { isTextual } from '../../../lib/text/text-detection.ts'
import { findFileKind } from '../../preview/kinds/file-kind.ts'
import { decodeText } from '../../../lib/text/decode-text.ts'

export const IMPORT_MAX_BYTES = 10 * MIB

const TEXT_KINDS = new Set(['markdown', 'text', 'code', 'html'])
const SNIFFED_BYTES = 4096

/** Accepted types for the file picker. Includes the Markdown extensions, whose type some browsers do not know. */
export const IMPORT_ACCEPT = ['text/*', ...MARKDOWN_EXTENSIONS.map((extension) => `.${extension}`)].join(',')

/** Whether a file is a text by its name or type. */
export const isTextFile = ({ name, type }: File): boolean =>
  TEXT_KINDS.has(findFileKind({ mimetype: type, filename: name }))

export type ReadText =
  | { readonly kind: 'text'; readonly text: string; readonly isMarkdown: boolean }
  | { readonly kind: 'too-large' | 'not-text' | 'unreadable' }

/** Reads a text file in any supported encoding. */
export async function readTextFile(file: File): Promise<ReadText> {
  if (file.size > IMPORT_MAX_BYTES) return { kind: 'too-large' }
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  )
  if (bytes === null) return { kind: 'unreadable' }
  const isMeant = isTextFile(file) || isTextual(bytes.subarray(0, SNIFFED_BYTES), true)
  if (!isMeant) return { kind: 'not-text' }
  const { text, isText } = await decodeText(bytes)
  if (!isText) return { kind: 'not-text' }
  const isMarkdown = findFileKind({ mimetype: file.type, filename: file.name }) === 'markdown'
  return { kind: 'text', text, isMarkdown }
}
