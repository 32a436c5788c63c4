import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { blamingFile } from './preview-error.ts'
import type { PreviewSource } from './preview-source.ts'

/** Long enough for going to the next file and back. */
const KEPT_MS = 60_000

interface DataOptions<Data> {
  readonly source: PreviewSource
  /** Distinguishes results of different providers for the same bytes, and their options. */
  readonly key: readonly unknown[]
  readonly load: (signal: AbortSignal) => Promise<Data>
}

/**
 * What a provider reads of its file; `undefined` while it comes. It ends with the provider.
 * A failure is thrown, to be shown in place of the provider.
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

/** For faults that show outside of rendering, as when a picture does not come: they are shown in place of the provider. */
export function useFault(): (error: Error) => void {
  const [error, setError] = useState<Error | null>(null)
  if (error) throw error
  return setError
}
