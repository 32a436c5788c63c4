import type { ShownBundle } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { askRevision } from '../../../features/bundle-reading/api/bundles.queries.ts'
import { onlyFileOf } from '../../../features/bundle-reading/models/bundle-tree.ts'
import { ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import { watchRevision } from '../../../features/bundle-reading/models/watch-revision.ts'
import { focusGrid } from '../../../features/fs/components/items/focus-grid.ts'
import { nameOfPath } from '../../../features/fs/models/fs-paths.ts'
import { useTextFacts } from '../../../domains/markdown/prose/use-text-facts.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { dismissTopic, notify } from '../../../lib/notices.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { BundleHead } from './bundle-head.tsx'
import { BundleItems } from './bundle-items.tsx'
import { BundleText } from './bundle-text.tsx'
import './bundle-page.css'
import { SingleFile } from './single-file.tsx'
import { useBundleAddress } from './use-bundle-address.ts'
import { useBundleDownloads } from './use-bundle-downloads.ts'

interface BundleViewProps {
  bundle: ShownBundle
  /** Whether the page takes the focus; true if the page replaces a form that had the focus. */
  hasFocus: boolean
  /** Opens the bundle again, because its ticket is no longer valid. */
  onReopen: () => void
}

const NEWER = 'bundle-newer'

/** Shows a notice about a newer revision. The page itself does not change until the reader reloads it. */
function useNewerNotice(bundle: ShownBundle, onReload: () => void) {
  const { t } = useT()
  const tell = useEffectEvent(() => {
    const { max_views: most, views } = bundle
    const mayReload = most === null || views < most
    notify('info', t(most === null ? 'bundle.newer' : 'bundle.newerCounts'), {
      topic: NEWER,
      shownMs: Infinity,
      ...(mayReload && { action: { label: t('bundle.reload'), run: onReload } }),
    })
  })
  useEffect(() => {
    const stop = watchRevision({
      revision: bundle.revision,
      current: bundle.current_revision,
      ask: () => askRevision(bundle),
      onNewer: tell,
    })
    return () => {
      stop()
      dismissTopic(NEWER)
    }
  }, [bundle])
}

/** Returns the folder that was open before. It becomes the active entry after the reader has gone up to its parent. */
function useCameFrom(path: string): string | null {
  const [visited, setVisited] = useState<{ now: string; before: string | null }>({ now: path, before: null })
  if (visited.now === path) return visited.before
  setVisited({ now: path, before: visited.now })
  return visited.now
}

/** Focuses the list of a newly opened folder, because the list that had the focus was removed. */
function useFocusedFolder(cameFrom: string | null) {
  useEffect(() => {
    const { activeElement } = document
    if (cameFrom !== null && (activeElement === null || activeElement === document.body)) focusGrid()
  }, [cameFrom])
}

export function BundleView({ bundle, hasFocus, onReopen }: BundleViewProps) {
  useNewerNotice(bundle, onReopen)
  const only = onlyFileOf(bundle.manifest)
  if (only) return <SingleFile bundle={bundle} file={only} hasFocus={hasFocus} onTicketEnded={onReopen} />
  return <WholeBundle bundle={bundle} hasFocus={hasFocus} onReopen={onReopen} />
}

function WholeBundle({ bundle, hasFocus, onReopen }: BundleViewProps) {
  const { t } = useT()
  const address = useBundleAddress(bundle.decrypted !== undefined)
  const { path, preview } = address
  const { page, items } = bundle.manifest
  const cameFrom = useCameFrom(path)
  useFocusedFolder(cameFrom)
  const downloads = useBundleDownloads(bundle, onReopen)
  const isMarkdown = page?.type === 'text/markdown'
  const facts = useTextFacts(isMarkdown ? page.text : '')
  const title = bundle.title ?? facts?.title ?? t('bundle.title')
  const isAtRoot = path === ROOT
  usePageTitle(preview === null ? (isAtRoot ? title : nameOfPath(path)) : nameOfPath(preview))
  const hasItems = items.length > 0
  return (
    <article ref={hasFocus ? focusOnMount : undefined} tabIndex={-1} className="dl-bundle" aria-label={title}>
      {isAtRoot ? (
        <>
          <BundleHead
            bundle={bundle}
            title={title}
            hasOwnHeading={isMarkdown && (facts === null || facts.title !== null)}
            onDownload={() => void downloads.folder(ROOT)}
          />
          {page && <BundleText key={bundle.revision} bundle={bundle} page={page} open={address.open} />}
        </>
      ) : (
        <h1 className="dl-sr">{nameOfPath(path)}</h1>
      )}
      {(hasItems || !isAtRoot) && (
        <BundleItems
          key={path}
          bundle={bundle}
          address={address}
          cameFrom={cameFrom}
          onTicketEnded={onReopen}
        />
      )}
    </article>
  )
}
