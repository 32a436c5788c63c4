import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../lib/api-error.ts'
import type { FileKind } from './kinds/file-kind.ts'
import { loadWords } from '../../i18n/i18n.ts'
import type { PreviewSource } from './preview-source.ts'
import { findProviders, getProvider, type PreviewProvider } from './providers.ts'
import { readShownKind, type ShownKind } from './kinds/shown-kind.ts'

/** Loads the chunk of a provider and the translations for previews. */
export const providerQuery = (provider: PreviewProvider) =>
  queryOptions({
    queryKey: ['preview-provider', provider.name],
    queryFn: async () => {
      const parts = Promise.all([provider.load(), loadWords('viewer')])
      const [Provider] = await parts.catch((cause: unknown) => {
        if (navigator.onLine) throw cause
        throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
      })
      return { Provider }
    },
    staleTime: Infinity,
    structuralSharing: false,
  })

/**
 * Returns the preview providers for a file, best first. A file whose bytes determine its format can also be shown as
 * text.
 */
export function providersOf(
  { name, sizeBytes, findPublicUrl }: PreviewSource,
  shown: Pick<ShownKind, 'kind' | 'extension'>,
): readonly PreviewProvider[] {
  const { kind, extension } = shown
  const file = { kind, sizeBytes, isPublic: findPublicUrl !== undefined }
  const found = findProviders({ ...file, name: extension === null ? name : `file.${extension}` })
  const isUnread = extension === null || found.some((provider) => provider.name === 'text')
  return isUnread ? found : [...found, getProvider('text')]
}

/**
 * Loads the first bytes of a file, which show its kind, and at the same time the provider for the expected kind. Never
 * fails, because the preview itself shows errors.
 */
export async function preparePreview(
  client: QueryClient,
  source: PreviewSource,
  expected: FileKind,
): Promise<void> {
  const [likely] = providersOf(source, { kind: expected, extension: null })
  const read = readShownKind(client, source, expected)
  const fetched = likely && client.prefetchQuery(providerQuery(likely))
  await Promise.allSettled([read, fetched])
}
