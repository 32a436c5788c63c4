import { bundleOptionsOf } from '../../../../domains/bundles/bundle-calls.ts'
import { addBundle, dropBundle, findBundle, whenHalted } from '../../../../domains/bundles/bundle-drafts.ts'
import { getHomeBundles, getHomePicks, removeHomePicks } from '../../../../domains/bundles/home-bundles.ts'
import { rememberShare } from '../../../../domains/shares/recent-shares.ts'
import { expiryInstant } from '../../../../domains/shares/share-options.ts'
import { plainPlace } from '../../../../domains/transfers/uploads/share-file.ts'
import { hasCode } from '../../../../lib/api-error.ts'
import { titleOfText } from '../../../../lib/text/text-title.ts'
import type { PublishedShare, PublishInput } from '../editor/use-publish.ts'

/** Returns the unfinished bundle of the page with the current text and files, or a new one. */
async function draftOf({ text, contentType, options }: PublishInput) {
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
  const { configId, folder } = (await plainPlace()).options
  const draft = addBundle({ at: 'home', place: { configId, folder }, content, files })
  removeHomePicks(picks.map(({ id }) => id))
  return draft
}

/**
 * Uploads the files of the home page, and publishes them with its text under one link. A repeated call resumes.
 * @returns `null` if the user must do something first, which the row of the bundle explains
 * @throws {ApiError} if the link suffix is taken
 */
export async function publishHomeBundle(input: PublishInput): Promise<PublishedShare | null> {
  const options = bundleOptionsOf(input.options)
  if (!options) return null
  const draft = await draftOf(input)
  await draft.go(options)
  const end = await whenHalted(draft.key)
  if (!end || end.slug === null || end.state !== 'published') {
    // The page shows this error at the field of the link suffix. The row of the bundle shows all others.
    if (end?.state === 'failed' && hasCode(end.error, 'bundle.slug_taken')) throw end.error
    return null
  }
  const { slug } = end
  const { remark, expiryHours, password } = input.options
  const hasPassword = password !== ''
  const asks = options.opening === 'ask'
  rememberShare({
    slug,
    kind: 'bundle',
    remark: remark.trim(),
    createdAt: new Date().toISOString(),
    expiresAt: expiryInstant(expiryHours),
    hasPassword,
    // A text with a password or confirmation must not be stored on the device.
    ...(!hasPassword && !asks && { title: titleOfText(input.text) || (end.items[0]?.path ?? '') }),
  })
  dropBundle(draft.key)
  return { kind: 'bundle', slug, password: password || null, asks, text: input.text }
}
