import { KIB } from '@dropleaf/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { isTextual } from '../../lib/decode-text.ts'
import type { FileKind } from '../../lib/file-kind.ts'
import { kindOfBytes } from '../../lib/magic.ts'
import { readRange } from './byte-source.ts'
import type { PreviewSource } from './preview-source.ts'

/** Enough to see what a file is. */
const HEAD_MAX_BYTES = 64 * KIB

/** The first part of the file, for what it is. */
const headQuery = (source: PreviewSource) =>
  queryOptions({
    queryKey: ['preview', source.textUrl, 'head'],
    queryFn: async ({ signal }) => {
      const bytes = await readRange(source, { firstByte: 0, lastByte: HEAD_MAX_BYTES - 1, signal })
      const isText = isTextual(bytes, source.sizeBytes > bytes.length)
      return { kind: kindOfBytes(bytes) ?? (isText ? ('text' as const) : null) }
    },
    staleTime: Infinity,
    meta: { isPrivate: true },
  })

/** A file whose name and type say nothing, or nothing that is known: its bytes tell. */
const isGuessable = (source: PreviewSource | null, kind: FileKind): source is PreviewSource =>
  source !== null && kind === 'other'

const NOWHERE: PreviewSource = { name: '', sizeBytes: 0, url: '', textUrl: '' }

/** The kind of a file, by its bytes where its name and type say nothing; `null` while they are read. */
export function useShownKind(source: PreviewSource | null, kind: FileKind): FileKind | null {
  const isGuessed = isGuessable(source, kind)
  const isEmpty = source?.sizeBytes === 0
  const head = useQuery({ ...headQuery(source ?? NOWHERE), enabled: isGuessed && !isEmpty })
  if (!isGuessed) return kind
  if (isEmpty) return 'text'
  return head.isPending ? null : (head.data?.kind ?? kind)
}
