import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { FileKind } from './file-kind.ts'
import { formOfBytes } from './magic-bytes.ts'
import { isTextual } from '../../../lib/text/text-detection.ts'
import { readRange } from '../reading/byte-source.ts'
import { isPlaylist } from './by-extension.ts'
import { HEAD_MAX_BYTES } from '../reading/first-bytes.ts'
import type { PreviewSource } from '../preview-source.ts'

/** Loads the first part of a file, which the text preview also shows. */
export const headQuery = (source: PreviewSource) =>
  queryOptions({
    queryKey: ['preview', source.textUrl, 'head'],
    queryFn: ({ signal }) => readRange(source, { firstByte: 0, lastByte: HEAD_MAX_BYTES - 1, signal }),
    staleTime: Infinity,
    structuralSharing: false,
    meta: { isPrivate: true },
  })

export interface ShownKind {
  readonly kind: FileKind
  /**
   * Extension of the format found in the bytes; empty if the format is unknown. `null` for texts other than playlists,
   * and if the name determines the kind.
   */
  readonly extension: string | null
  /** Whether the name indicates a text but the bytes do not. */
  readonly isDisguised: boolean
  /** Whether the loaded part of a text can be decoded without loss. */
  readonly isExact: boolean
}

const TEXTS: ReadonlySet<FileKind> = new Set(['text', 'code', 'markdown', 'html'])

/**
 * @param expected the kind by name and type
 * @param isCut whether the file continues after these bytes
 */
export async function findShownKind(
  bytes: Uint8Array,
  expected: FileKind,
  isCut: boolean,
): Promise<ShownKind> {
  const form = formOfBytes(bytes)
  const { decodeText } = await import('../../../lib/text/decode-text.ts')
  const { isText, isExact } = await decodeText(bytes, { isCut })
  const isSaidToBeText = TEXTS.has(expected)
  // A PDF can consist of ASCII characters only.
  const isMeantAsText = isText && (isSaidToBeText || isTextual(bytes, isCut)) && form?.kind !== 'pdf'
  if (isMeantAsText) {
    return { kind: isSaidToBeText ? expected : 'text', extension: null, isDisguised: false, isExact }
  }
  const { kind = 'other', extension = '' } = form ?? {}
  return { kind, extension, isDisguised: isSaidToBeText, isExact: false }
}

/** Tags that occur in segmented streams but not in simple playlists. Source: RFC 8216, 4.3, read 2026-11-23. */
const OF_A_STREAM = /^#EXT-X-(?:TARGETDURATION|STREAM-INF|MEDIA-SEQUENCE|I-FRAMES-ONLY)\b/m

/** Decides whether a playlist is a stream or a text, because both kinds have the same names and types. */
export async function findPlaylistKind(bytes: Uint8Array, isCut: boolean): Promise<ShownKind> {
  if (OF_A_STREAM.test(new TextDecoder('latin1').decode(bytes)))
    return { kind: 'video', extension: 'm3u8', isDisguised: false, isExact: false }
  const found = await findShownKind(bytes, 'text', isCut)
  return found.kind === 'text' ? { ...found, extension: 'm3u' } : found
}

/** Whether the name and type of a file do not determine its kind reliably. The bytes then determine the kind. */
const isLookedAt = (kind: FileKind) => kind === 'other' || TEXTS.has(kind)

const NOWHERE: PreviewSource = { name: '', sizeBytes: 0, url: '', textUrl: '' }

/** Whether the bytes are read to determine the kind. */
const isRead = ({ name, sizeBytes }: PreviewSource, expected: FileKind) =>
  sizeBytes !== 0 && (isPlaylist({ name }) || isLookedAt(expected))

const kindQuery = (source: PreviewSource, expected: FileKind, bytes: Uint8Array) =>
  queryOptions({
    queryKey: ['preview', source.textUrl, 'kind', expected],
    queryFn: () => {
      const isCut = source.sizeBytes > bytes.length
      return isPlaylist(source) ? findPlaylistKind(bytes, isCut) : findShownKind(bytes, expected, isCut)
    },
    staleTime: Infinity,
    meta: { isPrivate: true },
  })

const unread = (expected: FileKind): ShownKind => ({
  kind: expected,
  extension: null,
  isDisguised: false,
  isExact: false,
})

/**
 * Determines the kind of a file before it is shown.
 * @throws the errors of {@link readRange}
 */
export async function readShownKind(
  client: QueryClient,
  source: PreviewSource,
  expected: FileKind,
): Promise<ShownKind> {
  if (!isRead(source, expected)) return unread(expected)
  const bytes = await client.fetchQuery(headQuery(source))
  return client.fetchQuery(kindQuery(source, expected, bytes))
}

/** Returns the kind of a file, based on its bytes if the name could be wrong. Returns `null` while the bytes load. */
export function useShownKind(source: PreviewSource | null, expected: FileKind): ShownKind | null {
  const known = source ?? NOWHERE
  const reads = isRead(known, expected)
  const head = useQuery({ ...headQuery(known), enabled: reads })
  const bytes = head.data
  // Checks for earlier failures instead of the current state, because a mounted preview retries this query. If the
  // retry hid the preview, the preview would be mounted again and retry forever.
  const hasFailed = bytes === undefined && head.errorUpdateCount > 0
  const found = useQuery({
    ...kindQuery(known, expected, bytes ?? new Uint8Array(0)),
    enabled: reads && bytes !== undefined,
  })
  if (source?.sizeBytes === 0)
    return { ...unread(expected), kind: TEXTS.has(expected) ? expected : 'text', isExact: true }
  if (!reads || hasFailed || found.isError) return unread(expected)
  return found.data ?? null
}
