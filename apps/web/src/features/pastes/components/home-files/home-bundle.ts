import { bundleOptionsOf } from '../../../../domains/bundles/bundle-calls.ts'
import type { NewDraft } from '../../../../domains/bundles/bundle-draft.ts'
import { addBundle, dropBundle, findBundle, whenHalted } from '../../../../domains/bundles/bundle-drafts.ts'
import type { Draft } from '../../../../domains/bundles/draft.ts'
import { getHomeBundles, getHomePicks, removeHomePicks } from '../../../../domains/bundles/home-bundles.ts'
import { rememberShare } from '../../../../domains/shares/recent-shares.ts'
import { expiryInstant } from '../../../../lib/expiry-instant.ts'
import { plainPlace } from '../../../../domains/transfers/uploads/share-file.ts'
import { loadWords } from '../../../../i18n/i18n.ts'
import { hasCode, isQueued } from '../../../../lib/api-error.ts'
import { titleOfText } from '../../../../lib/text/text-title.ts'
import type { BundleInput, PublishedShare } from '../editor/use-publish.ts'

/**
 * A text with fewer UTF-16 units fits into the manifest of an encrypted bundle, even if each unit needs the most bytes.
 */
const SHORT_TEXT_LENGTH = 64 * 1024

/** Returns the unfinished bundle of the page with the current text and files, or else a new bundle. */
async function draftOf({ text, contentType, options, isSealed }: BundleInput): Promise<Draft> {
  const picks = getHomePicks()
  const files = picks.map(({ path, picked: { file, handle = null } }) => ({ path, file, handle }))
  const content = {
    title: options.remark.trim() || null,
    page: text.trim() === '' ? null : { type: contentType, text },
  }
  const open = findBundle(getHomeBundles().openKey ?? '')
  if (open) {
    open.setContent(content)
    open.add(files)
    removeHomePicks(picks.map(({ id }) => id))
    return open
  }
  const fresh = { at: 'home', place: await placeOf({ text, files, isSealed }), content, files } as const
  const draft = isSealed ? await addSealed(fresh) : addBundle(fresh)
  removeHomePicks(picks.map(({ id }) => id))
  return draft
}

/** Adds an encrypted bundle, with code that is loaded on demand. */
async function addSealed(fresh: NewDraft): Promise<Draft> {
  const [{ addSealedBundle }] = await Promise.all([
    import('../../../../domains/sealed/sending/sealed-drafts.ts'),
    loadWords('later'),
    loadWords('files'),
  ])
  return addSealedBundle(fresh)
}

/**
 * Returns the storage and folder of a bundle. An encrypted text without files needs no storage, so that users without
 * access to a storage can share such a text.
 */
async function placeOf({
  text,
  files,
  isSealed,
}: Pick<BundleInput, 'text' | 'isSealed'> & Pick<NewDraft, 'files'>) {
  if (isSealed && files.length === 0 && text.length < SHORT_TEXT_LENGTH) return { configId: '', folder: '' }
  const { configId, folder } = (await plainPlace()).options
  return { configId, folder }
}

/**
 * Uploads the files of the home page, and publishes them with its text under one link. A repeated call resumes the
 * upload.
 * @returns `null` if the user must act first; the row of the bundle explains what to do
 * @throws {ApiError} `bundle.slug_taken`, an error for which `isQueued` is true if the request was queued, or an error
 * of the choice of a storage, such as `storage.none`
 */
export async function publishHomeBundle(input: BundleInput): Promise<PublishedShare | null> {
  const options = bundleOptionsOf(input.options)
  if (!options) return null
  const draft = await draftOf(input)
  await draft.go(options)
  const end = await whenHalted(draft.key)
  if (!end || end.slug === null || end.state !== 'published') {
    // The page shows this error at the field of the link suffix. The row of the bundle shows all other errors.
    if (end?.state === 'failed' && hasCode(end.error, 'bundle.slug_taken')) throw end.error
    if (end && isQueued(end.error)) {
      dropBundle(draft.key)
      throw end.error
    }
    return null
  }
  const { slug, isSealed, linkKey } = end
  const { remark, expiryHours, password } = input.options
  const hasPassword = password !== ''
  const asks = options.opening === 'ask'
  rememberShare({
    slug,
    kind: 'bundle',
    // The remark of an encrypted share must not be stored on the device.
    remark: isSealed ? '' : remark.trim(),
    ...(isSealed && { sealedId: draft.id }),
    createdAt: new Date().toISOString(),
    expiresAt: expiryInstant(expiryHours),
    hasPassword,
    // A text with a password or confirmation must not be stored on the device.
    ...(!hasPassword &&
      !asks &&
      !isSealed && { title: titleOfText(input.text) || (end.items[0]?.path ?? '') }),
  })
  dropBundle(draft.key)
  return { kind: 'bundle', slug, password: password || null, asks, linkKey, text: input.text }
}
