import { type ManifestItem, type ManifestPage, planPacks } from '@dropleaf/seal'
import type { BundleFile } from '../../bundles/draft.ts'
import type { BundleContent } from '../../bundles/saved-bundles.ts'
import type { FileFacts } from '../../transfers/uploads/upload-store.ts'

/** A file of an encrypted bundle, or its text if that is too long for the manifest. */
export interface Piece {
  readonly id: number
  /** `null` for the text. */
  readonly path: string | null
  readonly type: string
  readonly file: FileFacts
  /** `null` until the user has chosen the file again after a reload. */
  readonly bytes: Blob | null
  readonly handle: FileSystemFileHandle | null
  /** Number of the object that contains this piece; `null` until the piece is assigned to an object. */
  readonly object: number | null
  /** Offset of the piece within the object. */
  readonly offset: number
}

/** A piece that is assigned to an object. */
export type PlacedPiece = Piece & { readonly object: number }

const OCTETS = 'application/octet-stream'
/** Matches the media types that manifests accept, which have no parameters. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/

function mediaTypeOf(file: Blob): string {
  const type = file.type.split(';')[0]?.trim() ?? ''
  return MEDIA_TYPE.test(type) ? type : OCTETS
}

const NOWHERE = { object: null, offset: 0 } as const

export const pieceOfFile = (id: number, { path, file, handle }: BundleFile): Piece => ({
  id,
  path,
  type: mediaTypeOf(file),
  file: { name: file.name, size: file.size, lastModified: file.lastModified },
  bytes: file,
  handle,
  ...NOWHERE,
})

export function pieceOfText(id: number, { type, text }: NonNullable<BundleContent['page']>): Piece {
  const bytes = new Blob([text])
  const file = { name: '', size: bytes.size, lastModified: 0 }
  return { id, path: null, type, file, bytes, handle: null, ...NOWHERE }
}

/** Distributes pieces among new objects. @param takeNumber returns the number of the next object */
export function placePieces(
  pieces: readonly Piece[],
  takeNumber: () => number,
): { readonly n: number; readonly sizeBytes: number; readonly pieces: readonly PlacedPiece[] }[] {
  const sized = pieces.map((piece) => ({ piece, sizeBytes: piece.file.size }))
  return planPacks(sized).map(({ files, sizeBytes }) => {
    const n = takeNumber()
    return {
      n,
      sizeBytes,
      pieces: files.map(({ file: { piece }, offset }) => ({ ...piece, object: n, offset })),
    }
  })
}

/** Returns the entry of a file in the manifest. */
export const itemOfPiece = ({ path, type, file, object, offset }: PlacedPiece): ManifestItem => ({
  path: path ?? '',
  type,
  mtime: file.lastModified,
  object,
  offset,
  size: file.size,
})

/** Returns the text of the bundle for the manifest, as a slice of an object. */
export const pageOfPiece = ({ type, file, object, offset }: PlacedPiece): ManifestPage => ({
  type: type === 'text/markdown' ? 'text/markdown' : 'text/plain',
  object,
  offset,
  size: file.size,
})

/**
 * Checks whether a file has changed since the user chose it. Returns the current file if it has changed, `'lost'` if
 * it can no longer be read, and `null` if it is unchanged.
 */
export async function findChange({ file, bytes, handle }: Piece): Promise<File | 'lost' | null> {
  if (bytes === null || !(bytes instanceof File)) return null
  if (handle) {
    try {
      const now = await handle.getFile()
      return now.size === file.size && now.lastModified === file.lastModified ? null : now
    } catch {
      // The file was moved, or the permission has expired. The bytes that were sent are still those that the user
      // chose.
      return null
    }
  }
  try {
    // Browsers refuse to read a chosen file whose size or time has changed.
    await bytes.slice(0, 1).arrayBuffer()
    return null
  } catch {
    return 'lost'
  }
}
