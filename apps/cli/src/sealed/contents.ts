import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { BUNDLE_TITLE_MAX_LENGTH, MARKDOWN_EXTENSIONS, PASTE_CONTENT_MAX_BYTES } from '@dropleaf/contract'
import {
  type Bytes,
  INLINE_TEXT_MAX_BYTES,
  type Manifest,
  type ManifestObject,
  type ObjectPlan,
  type PlainReader,
  planPacks,
} from '@dropleaf/seal'
import mime from 'mime'
import type { TreeItem } from '../bundles/local-tree.ts'
import { CliError, EXIT } from '../errors.ts'
import { formatBytes } from '../progress.ts'
import type { TextKey, TextParams } from '../texts/index.ts'
import { fileChanged, type LocalFile, unreadable } from '../local-file.ts'

/** The contents of a bundle before encryption. */
export interface SealedContents {
  readonly title: string | null
  readonly page: { readonly type: 'text/markdown' | 'text/plain'; readonly text: string } | null
  readonly items: readonly TreeItem[]
}

/** A file, or a text that is too long for the manifest. A piece is stored in an object. */
export interface Piece {
  readonly sizeBytes: number
  readonly reader: PlainReader
  /** `null` for the page. */
  readonly item: TreeItem | null
}

const OTHER = 'application/octet-stream'
/**
 * Media types that take precedence over the table of MIME types, which lists older formats for some extensions, such as
 * a video format for `ts`.
 */
const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(MARKDOWN_EXTENSIONS.map((extension) => [extension, 'text/markdown'])),
  ts: 'text/typescript',
  tsx: 'text/typescript',
  mts: 'text/typescript',
  cts: 'text/typescript',
}

function typeOf(path: string): string {
  const name = basename(path)
  if (!name.includes('.')) return OTHER
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return TYPES[extension] ?? mime.getType(extension) ?? OTHER
}

/** Reads ranges of a file. Errors are `CliError`s. */
const fileReader = (file: LocalFile): PlainReader => ({
  sizeBytes: file.sizeBytes,
  async read({ firstByte, endByte }) {
    const bytes: Bytes = new Uint8Array(endByte - firstByte)
    let at = 0
    try {
      await using handle = await open(file.path)
      while (at < bytes.length) {
        const { bytesRead } = await handle.read(bytes, at, bytes.length - at, firstByte + at)
        if (bytesRead === 0) break
        at += bytesRead
      }
    } catch (error) {
      throw unreadable(file.shown, error)
    }
    if (at < bytes.length) throw fileChanged(file)
    return bytes
  },
})

const bytesReader = (bytes: Bytes): PlainReader => ({
  sizeBytes: bytes.length,
  read: async ({ firstByte, endByte }) => bytes.slice(firstByte, endByte),
})

/**
 * @throws {CliError} for a title or a text that a manifest cannot contain, and for a file whose size is unknown before
 *   it is read, as in /proc
 */
export function requireSealable({ title, page, items }: SealedContents): void {
  const failed = (text: TextKey, params: TextParams) => new CliError({ exitCode: EXIT.failed, text, params })
  if (title !== null && title.length > BUNDLE_TITLE_MAX_LENGTH)
    throw failed('seal.title', { count: BUNDLE_TITLE_MAX_LENGTH })
  if (page && Buffer.byteLength(page.text) > PASTE_CONTENT_MAX_BYTES)
    throw failed('seal.text', { size: formatBytes(PASTE_CONTENT_MAX_BYTES) })
  const unsized = items.find(({ file }) => file.isUnsized)
  if (unsized) throw failed('seal.unsized', { file: unsized.file.shown })
}

/**
 * Distributes the files, and a text that is too long for the manifest, among objects. The number of an object is its
 * position in the result.
 */
export function planObjects({ page, items }: SealedContents): ObjectPlan<Piece>[] {
  const pieces: Piece[] = items.map((item) => ({
    sizeBytes: item.file.sizeBytes,
    reader: fileReader(item.file),
    item,
  }))
  const text = page && new TextEncoder().encode(page.text)
  if (text && text.length > INLINE_TEXT_MAX_BYTES)
    pieces.unshift({ sizeBytes: text.length, reader: bytesReader(text), item: null })
  return planPacks(pieces)
}

/** @param objects the encrypted objects, in the order of their plans */
export function describeContents(
  { title, page, items }: SealedContents,
  plans: readonly ObjectPlan<Piece>[],
  objects: ManifestObject[],
): Manifest {
  const slices = new Map(
    plans.flatMap(({ files }, object) =>
      files.map(({ file, offset }) => [file.item, { object, offset, size: file.sizeBytes }] as const),
    ),
  )
  const pageSlice = slices.get(null) ?? { text: page?.text ?? '' }
  return {
    v: 1,
    ...(title !== null && { title }),
    ...(page && { page: { type: page.type, ...pageSlice } }),
    objects,
    // The items have the order of the files, not the order of the objects.
    items: items.flatMap((item) => {
      const slice = slices.get(item)
      return slice
        ? [{ path: item.path, type: typeOf(item.path), ...slice, mtime: item.file.modifiedAtMs }]
        : []
    }),
  }
}
