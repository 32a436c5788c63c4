import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BundleOptions } from '../../../domains/bundles/bundle-calls.ts'
import { whenHalted } from '../../../domains/bundles/bundle-drafts.ts'
import { suggestItemPaths } from '../../../domains/bundles/item-paths.ts'
import { filesBelow, type FileToPack, openFileBytes } from '../../../domains/transfers/archives/sources.ts'
import { plainPlace } from '../../../domains/transfers/uploads/share-file.ts'
import type { SharedPlace } from './place-items.ts'

interface CopyInput {
  readonly options: BundleOptions
  readonly title: string | null
}

/** Lists the chosen files, and the files in the chosen folders. */
async function listFiles(places: readonly SharedPlace[], signal: AbortSignal): Promise<FileToPack[]> {
  const files: FileToPack[] = []
  for (const { path, name, isFolder } of places) {
    if (isFolder)
      for await (const file of filesBelow(`${path.replace(/\/$/, '')}/`, name, signal)) files.push(file)
    else files.push({ path, name })
  }
  return files
}

/**
 * Downloads files of mounts, encrypts and uploads them. The data of the mutation `copying` identifies the new bundle in
 * the list of drafts.
 */
export function useSealedCopy(places: readonly SharedPlace[]) {
  const queryClient = useQueryClient()
  const [stop] = useState(() => new AbortController())
  const [loaded, setLoaded] = useState<string | null>(null)
  const copy = async ({ options, title }: CopyInput): Promise<string> => {
    const { signal } = stop
    const sources = await listFiles(places, signal)
    const names = sources.map(({ name }) => name.normalize('NFC'))
    const suggested = suggestItemPaths(names)
    const files = []
    for (const [index, { path, name }] of sources.entries()) {
      setLoaded(name)
      const bytes = await (await openFileBytes(path, signal)).blob()
      const file = new File([bytes], name.slice(name.lastIndexOf('/') + 1), { type: bytes.type })
      files.push({ path: suggested.get(index) ?? names[index] ?? name, file, handle: null })
    }
    setLoaded(null)
    // This code is loaded on demand, because only encrypted shares need it.
    const { addSealedBundle } = await import('../../../domains/sealed/sending/sealed-drafts.ts')
    const { configId, folder } = (await plainPlace(signal)).options
    const content = { title: title ?? places[0]?.name ?? null, page: null }
    const draft = addSealedBundle({ at: 'upload', place: { configId, folder }, content, files })
    void draft.go(options)
    void whenHalted(draft.key).then(() => queryClient.invalidateQueries({ queryKey: ['shares'] }))
    return draft.key
  }
  const copying = useMutation({ mutationFn: copy })
  return { copying, loaded, leave: () => stop.abort() }
}
