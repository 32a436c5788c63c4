import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { blamingFile } from './preview-error.ts'
import type { PreviewSource, UrlUse } from './preview-source.ts'

/** How long data is cached. The time is long enough to go to the next file and back. */
const KEPT_MS = 60_000

interface DataOptions<Data> {
  readonly source: PreviewSource
  /** Distinguishes the data of different providers and options. */
  readonly key: readonly unknown[]
  readonly load: (signal: AbortSignal) => Promise<Data>
}

/**
 * Returns the data that a provider loads from its file; `undefined` while loading. Unmounting the provider aborts the
 * load. Throws load errors, so that the boundary shows them in place of the provider.
 */
export function usePreviewData<Data>({ source, key, load }: DataOptions<Data>): Data | undefined {
  return useQuery({
    queryKey: ['preview', source.textUrl, ...key],
    queryFn: ({ signal }) => blamingFile(() => load(signal)),
    staleTime: Infinity,
    gcTime: KEPT_MS,
    structuralSharing: false,
    throwOnError: true,
    meta: { isPrivate: true },
  }).data
}

/**
 * Returns the URL for an `<img>`, `<audio>` or `<video>` element; `null` while the URL is being created. Throws like
 * {@link usePreviewData}.
 */
export function useBrowserUrl(source: PreviewSource, use: UrlUse): string | null {
  const { findUrl, url } = source
  const made = usePreviewData({
    source,
    key: ['url', use],
    load: async (signal) => (findUrl ? findUrl(use, signal) : url),
  })
  return findUrl ? (made ?? null) : url
}

/**
 * Returns a function that reports faults found outside of rendering, such as failed images. The fault is shown in place
 * of the provider.
 */
export function useFault(): (error: Error) => void {
  const [error, setError] = useState<Error | null>(null)
  if (error) throw error
  return setError
}
