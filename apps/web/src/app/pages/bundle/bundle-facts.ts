import type { OpenBundle } from '@dropleaf/contract'
import { totalsOf } from '../../../features/bundle-reading/models/bundle-tree.ts'
import {
  type Fact,
  pasteFacts,
  type TranslateFact,
} from '../../../features/pastes/components/reading/paste-facts.ts'
import { formatBytes, formatDateTime } from '../../../lib/format.ts'

/** Texts of the facts about a bundle. The early page and the app show the same facts. */

export type BundleWord = 'updated' | 'files' | 'filesOfSize'

interface FactContext {
  readonly translate: TranslateFact
  /** Formats a text of the interface; `count` selects the plural form. */
  readonly words: (word: BundleWord, values: Record<string, string>, count?: number) => string
  readonly language: string
  readonly nowMs: number
}

/**
 * Returns the facts below the title: contents, last change or creation, expiry and remaining views. Omits the contents
 * if there are no files, or if their total is unknown.
 */
export function bundleFacts(bundle: OpenBundle, { translate, words, language, nowMs }: FactContext): Fact[] {
  const { created_at: createdAt, updated_at: updatedAt, manifest } = bundle
  const { fileCount, sizeBytes, hasMore } = totalsOf(manifest)
  const share = { createdAt, expiresAt: bundle.expires_at, maxViews: bundle.max_views, views: bundle.views }
  const [created, ...limits] = pasteFacts(share, { translate, language, nowMs })
  const contents: Fact = {
    key: 'files',
    text: words('filesOfSize', { size: formatBytes(sizeBytes, language) }, fileCount),
    isUrgent: false,
  }
  // The first revision is published after the creation, when its uploads are complete. This first publication is not an
  // update.
  const wasUpdated = bundle.revision > 1
  const changed: Fact = {
    key: 'updated',
    text: words('updated', { date: formatDateTime(updatedAt, language) }),
    isUrgent: false,
  }
  return [
    ...(fileCount > 0 && !hasMore ? [contents] : []),
    ...(wasUpdated ? [changed] : created ? [created] : []),
    ...limits,
  ]
}
