import type { PasteContentType } from '@dropleaf/contract'
import { pasteRoutes } from '@dropleaf/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../../../domains/api/api-client.ts'
import { isQueued } from '../../../../lib/api-error.ts'
import { openingBody } from '../../../../domains/api/opening-body.ts'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import { expiryInstant } from '../../../../lib/expiry-instant.ts'
import { openingOf, parseMaxViews } from '../../../../domains/shares/share-options.ts'
import { afterTextShareChange } from '../../api/pastes.queries.ts'
import { rememberShare } from '../../../../domains/shares/recent-shares.ts'
import { titleOfText } from '../../../../lib/text/text-title.ts'

export interface PublishedShare {
  readonly kind: 'paste' | 'bundle'
  readonly slug: string
  readonly password: string | null
  /** Whether the share requires confirmation. Its raw link then does not return the text. */
  readonly asks: boolean
  /** Key of an encrypted share, which is the part of its link after `#`; `null` for other shares. */
  readonly linkKey: string | null
  /** The shared text, which can be restored in the editor. */
  readonly text: string
}

export interface PublishInput {
  text: string
  contentType: PasteContentType
  options: ShareOptions
  /** Whether files are shared with the text, under the same link. */
  hasFiles?: boolean
  /**
   * Returns whether to encrypt the share. Without this function, the share is not encrypted.
   * @throws {ApiError} if encryption is required, or was shown to the user, but is not possible
   */
  settleSealing?: () => Promise<boolean>
}

/** The {@link PublishInput} of a share that becomes a bundle, after the decision about encryption. */
export interface BundleInput extends Omit<PublishInput, 'hasFiles' | 'settleSealing'> {
  readonly isSealed: boolean
}

/**
 * Creates and publishes a bundle, with code that is loaded on demand.
 * @returns `null` if the user must act first; the row of the bundle explains what to do
 */
async function createBundle(input: BundleInput): Promise<PublishedShare | null> {
  const { publishHomeBundle } = await import('../home-files/home-bundle.ts')
  return publishHomeBundle(input)
}

async function createPaste({
  text,
  contentType,
  options,
}: Pick<PublishInput, 'text' | 'contentType' | 'options'>): Promise<PublishedShare> {
  const expiresAt = expiryInstant(options.expiryHours)
  const remark = options.remark.trim()
  const maxViews = parseMaxViews(options.maxViews) ?? 0
  const opening = openingOf(options)
  const asks = opening === 'ask'
  const created = await api(pasteRoutes.create, {
    body: {
      content: text,
      content_type: contentType,
      slug: options.slug.trim() || null,
      remark: remark || null,
      password: options.password || null,
      expiresAt,
      maxViews: maxViews || null,
      ...openingBody({ opening, pin: options.pin }),
    },
  })
  const { slug, createdAt } = created
  const hasPassword = options.password !== ''
  rememberShare({
    slug,
    remark,
    createdAt,
    expiresAt,
    hasPassword,
    // A text with a password or confirmation must not be stored on the device.
    ...(!hasPassword && !asks && { title: titleOfText(text) }),
  })
  return { kind: 'paste', slug, password: options.password || null, asks, linkKey: null, text }
}

export function usePublish() {
  const queryClient = useQueryClient()
  const [result, setResult] = useState<PublishedShare | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isWaiting, setWaiting] = useState(false)
  useEffect(() => {
    if (!isWaiting) return undefined
    const gone = new AbortController()
    const watch = async () => {
      const { onSynced } = await import('../../../../domains/offline/queue/sync-page.ts')
      const stop = onSynced(({ done }) => {
        // A notice shows the link of the text that was sent.
        if (done.length > 0) setWaiting(false)
      })
      if (gone.signal.aborted) stop()
      else gone.signal.addEventListener('abort', stop)
    }
    watch().catch(reportError)
    return () => gone.abort()
  }, [isWaiting])
  /**
   * Publishes a text. Returns whether the text is shared, or queued (`isWaiting`). `error` holds the reason of a
   * failure.
   */
  const publish = async (input: PublishInput): Promise<boolean> => {
    if (isBusy) return false
    setBusy(true)
    setError(null)
    setWaiting(false)
    try {
      const isSealed = (await input.settleSealing?.()) ?? false
      const share = await (input.hasFiles || isSealed
        ? createBundle({ ...input, isSealed })
        : createPaste(input))
      if (share) setResult(share)
      afterTextShareChange(queryClient)
      return share !== null
    } catch (failure) {
      const isAccepted = isQueued(failure)
      setWaiting(isAccepted)
      if (!isAccepted) setError(failure)
      return isAccepted
    } finally {
      setBusy(false)
    }
  }
  return { result, setResult, error, setError, isBusy, isWaiting, publish }
}
