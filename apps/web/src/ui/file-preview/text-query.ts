import { KIB } from '@dropleaf/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import { decodeText, isTextual } from '../../lib/decode-text.ts'
import { type FileKind, hasNoExtension } from '../../lib/file-kind.ts'
import type { PreviewSource } from './preview-source.ts'

/** Of a longer file, only this much is shown. */
export const TEXT_MAX_BYTES = 512 * KIB

/** The first part of the file; the rest is never fetched. */
export const textQuery = ({ textUrl, headers, sizeBytes }: PreviewSource) =>
  queryOptions({
    queryKey: ['preview', 'text', textUrl],
    queryFn: async ({ signal }) => {
      const range = `bytes=0-${TEXT_MAX_BYTES - 1}`
      const response = await fetch(textUrl, { headers: { ...headers, Range: range }, signal }).catch(
        (cause: unknown) => {
          throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
        },
      )
      if (!response.ok) {
        throw new ApiError({
          kind: 'http',
          status: response.status,
          code: 'client.unknown',
          message: `HTTP ${response.status}`,
        })
      }
      const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, TEXT_MAX_BYTES)
      const isCut = sizeBytes > bytes.length
      return { text: decodeText(bytes, isCut), isText: isTextual(bytes, isCut) }
    },
    staleTime: Infinity,
  })

/** A small file whose name says nothing may be a text: its bytes tell. */
const isGuessable = (source: PreviewSource | null, kind: FileKind): source is PreviewSource =>
  source !== null && kind === 'other' && hasNoExtension(source.name) && source.sizeBytes <= TEXT_MAX_BYTES

const NOWHERE: PreviewSource = { name: '', sizeBytes: 0, url: '', textUrl: '' }

/** The kind of a file, by its bytes where its name and type say nothing; `null` while they are read. */
export function useShownKind(source: PreviewSource | null, kind: FileKind): FileKind | null {
  const isGuessed = isGuessable(source, kind)
  const isEmpty = source?.sizeBytes === 0
  const text = useQuery({ ...textQuery(source ?? NOWHERE), enabled: isGuessed && !isEmpty })
  if (!isGuessed) return kind
  if (isEmpty || text.data?.isText) return 'text'
  return text.isPending ? null : kind
}
