import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { blamingFile } from './preview-error.ts'
import type { PreviewSource } from './preview-source.ts'

/** Long enough for going to the next file and back. */
const KEPT_MS = 60_000

interface DataOptions<Data> {
  readonly source: PreviewSource
  /** Distinguishes the data of different providers and options. */
  readonly key: readonly unknown[]
  readonly load: (signal: AbortSignal) => Promise<Data>
}

/**
 * Data that a provider loads from its file; `undefined` while loading. Aborted when the provider is unmounted. Throws
 * an error, which is shown in place of the provider.
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

/** Reports faults outside of rendering, such as failed images, in place of the provider. */
export function useFault(): (error: Error) => void {
  const [error, setError] = useState<Error | null>(null)
  if (error) throw error
  return setError
}
