import { addBundle, dropBundle, findBundle, whenHalted } from '../../../domains/bundles/bundle-drafts.ts'
import type { BundleFile } from '../../../domains/bundles/draft.ts'
import type { BundleSnapshot } from '../../../domains/bundles/bundle-snapshot.ts'
import { removePicks, type SharePick } from '../../../domains/transfers/uploads/share-picks.ts'
import { slugOf } from '../../../domains/transfers/uploads/share-uploads.ts'
import { commonFolderOf, itemPathsOf } from './item-paths.ts'
import type { UploadForm } from '../components/use-upload-form.ts'

/** Returns the files, with suggested paths instead of invalid paths. Leaves out files that the page has lost. */
function filesOf(picks: readonly SharePick[]): BundleFile[] {
  const { pathOf, problems } = itemPathsOf(picks)
  return picks.flatMap(({ id, bytes, handle }) => {
    const path = problems.get(id)?.suggestion ?? pathOf.get(id) ?? ''
    return bytes ? [{ path, file: bytes, handle }] : []
  })
}

/**
 * Creates one bundle from chosen files.
 * @returns the key of the bundle, or `null` if the form is invalid
 */
export function startBundle(form: UploadForm, picks: readonly SharePick[]): string | null {
  const options = form.read(1)
  if (options === null) return null
  const files = filesOf(picks)
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

/**
 * Creates encrypted bundles from chosen files: one bundle for all files, or one bundle per file.
 * @returns the keys of the bundles, or `null` if the form is invalid
 */
export async function startSealed(
  form: UploadForm,
  { picks, isOne }: { picks: readonly SharePick[]; isOne: boolean },
): Promise<string[] | null> {
  const groups = isOne ? [picks] : picks.map((pick) => [pick])
  const options = form.read(groups.length)
  if (options === null) return null
  const { configId, folder } = options
  const content = (files: readonly BundleFile[]) => {
    const title = options.remark || (isOne ? commonFolderOf(files.map(({ path }) => path)) : null)
    return { title, page: null }
  }
  // This code is loaded on demand, because only encrypted shares need it.
  const { addSealedBundle } = await import('../../../domains/sealed/sending/sealed-drafts.ts')
  const drafts = groups.map((group) => {
    const files = filesOf(group)
    return addSealedBundle({ at: 'upload', place: { configId, folder }, content: content(files), files })
  })
  removePicks(picks.map(({ id }) => id))
  for (const [index, draft] of drafts.entries()) {
    const number = groups.length > 1 ? index + 1 : null
    void draft.go({ ...options, slug: slugOf(options.slug, number) })
  }
  return drafts.map(({ key }) => key)
}

/** Retries a bundle after a failure. If its creation failed, uses the current options. */
export function retryBundle(form: UploadForm, { key, slug }: BundleSnapshot): void {
  const options = slug === null ? form.read(1) : null
  void findBundle(key)?.go(options ?? undefined)
}

/**
 * Waits until the upload of a bundle has ended.
 * @returns whether the bundle was published
 */
export async function isPublished(key: string): Promise<boolean> {
  return (await whenHalted(key))?.state === 'published'
}

export function cancelBundles(bundles: readonly BundleSnapshot[]): void {
  for (const { key } of bundles) dropBundle(key)
}
