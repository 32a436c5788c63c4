import { addBundle, dropBundle, findBundle, whenHalted } from '../../../domains/bundles/bundle-drafts.ts'
import type { BundleSnapshot } from '../../../domains/bundles/bundle-snapshot.ts'
import { removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import { commonFolderOf, itemPathsOf } from './item-paths.ts'
import type { UploadForm } from '../components/use-upload-form.ts'

/** Creates one bundle from chosen files. @returns its key, or `null` if the form is invalid */
export function startBundle(form: UploadForm, picks: readonly SharePick[]): string | null {
  const options = form.read(1)
  if (options === null) return null
  const { pathOf } = itemPathsOf(picks)
  const files = picks.flatMap(({ id, bytes, handle }) =>
    bytes ? [{ path: pathOf.get(id) ?? bytes.name, file: bytes, handle }] : [],
  )
  const { configId, folder } = options
  const draft = addBundle({
    at: 'upload',
    place: { configId, folder },
    content: { title: options.remark || commonFolderOf(files.map(({ path }) => path)), page: null },
    files,
  })
  removePicks(picks.map(({ id }) => id))
  void draft.go(options)
  return draft.key
}

/** Retries a bundle after a failure. If its creation failed, uses the current options. */
export function retryBundle(form: UploadForm, { key, slug }: BundleSnapshot): void {
  const options = slug === null ? form.read(1) : null
  void findBundle(key)?.go(options ?? undefined)
}

/** Waits for a bundle to end. @returns whether it was published */
export async function isPublished(key: string): Promise<boolean> {
  return (await whenHalted(key))?.state === 'published'
}

export function cancelBundles(bundles: readonly BundleSnapshot[]): void {
  for (const { key } of bundles) dropBundle(key)
}
