import { Button } from '@mantine/core'
import {
  IconFileOff,
  IconFolderOff,
  IconFolderOpen,
  IconPlugConnectedX,
  IconSearchOff,
  IconWifiOff,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { use, useEffect, useEffectEvent, useRef } from 'react'
import type { Items } from '../../../features/bundle-reading/api/use-items.ts'
import { ROOT } from '../../../features/bundle-reading/models/bundle-place.ts'
import { useReadingSettings } from '../../../features/bundle-reading/models/use-reading-settings.ts'
import { useFolderScreen } from '../../../features/fs/components/explorer-context.ts'
import { EntryUrlsContext } from '../../../features/fs/components/items/entry-urls.ts'
import { GridView } from '../../../features/fs/components/items/grid-view.tsx'
import { ListView } from '../../../features/fs/components/items/list-view.tsx'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode, isOffline } from '../../../lib/api-error.ts'
import { formatNumber } from '../../../lib/format.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import styles from './bundle.module.css'

interface BundleBodyProps {
  items: Items
  /** Search text; empty for no search. */
  text: string
  onClearSearch: () => void
}

const ICON = { size: 28, 'aria-hidden': true } as const
const WIDTHS = ['52%', '38%', '61%', '44%', '57%', '35%'] as const

/** Shows the entries of a folder, or explains why there are none. */
export function BundleBody({ items, text, onClearSearch }: BundleBodyProps) {
  const { t, language } = useT()
  const { entries } = useFolderScreen()
  const { view } = useReadingSettings()
  const isSearch = text !== ''
  if (items.error && entries.length === 0) return <ListFailure error={items.error} onRetry={items.retry} />
  if (items.items === null) {
    return (
      <div className={styles.waiting}>
        <SkeletonLines label={t('common.loading')} widths={WIDTHS} />
      </div>
    )
  }
  const count = entries.length
  return (
    <>
      <output className="dl-sr">
        {isSearch &&
          (items.hasMore
            ? t('bundle.foundMany', { count: formatNumber(count, language) })
            : t('bundle.found', { count }))}
      </output>
      {count > 0 && (view === 'list' ? <ListView /> : <GridView />)}
      {count === 0 &&
        (isSearch ? (
          <PageMessage
            level={2}
            icon={<IconSearchOff {...ICON} />}
            title={t('bundle.nothingFound')}
            text={t('bundle.nothingFoundText')}
          >
            <Button variant="default" onClick={onClearSearch}>
              {t('bundle.clearSearch')}
            </Button>
          </PageMessage>
        ) : (
          <PageMessage level={2} icon={<IconFolderOpen {...ICON} />} title={t('bundle.emptyFolder')} />
        ))}
      {Boolean(items.error) && (
        <FailedBanner
          error={items.error}
          text={t('bundle.moreFailed', { reason: errorText(items.error) })}
          onRetry={items.retry}
        />
      )}
      {items.hasMore && <More key={count} onNear={items.loadMore} />}
      {items.isCut && (
        <p className={styles.rest}>
          {t(isSearch ? 'bundle.moreThanFound' : 'bundle.moreThanShown', { count })}
        </p>
      )}
    </>
  )
}

/** Distance below the viewport at which the next part of a list is loaded. */
const AHEAD = '3000px'

/**
 * Loads more items when the reader scrolls near the end of the list. This component is mounted again for each part,
 * because the observer reports only changes of visibility.
 */
function More({ onNear }: { onNear: () => void }) {
  const { t } = useT()
  const mark = useRef<HTMLOutputElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) near()
      },
      { rootMargin: `0px 0px ${AHEAD}` },
    )
    if (mark.current) observer.observe(mark.current)
    return () => observer.disconnect()
  }, [])
  return (
    <output ref={mark} className={styles.rest}>
      {t('explorer.loadingRest')}
    </output>
  )
}

interface FailureProps {
  error: unknown
  onRetry: () => void
}

/** Explains why a folder or a file of a bundle cannot be shown. */
export function ListFailure({ error, onRetry }: FailureProps) {
  const { t } = useT()
  const { folderLink } = use(EntryUrlsContext)
  const { path } = useFolderScreen()
  const isGone = hasCode(error, 'bundle.item_gone')
  const isMissing = hasCode(error, 'bundle.item_not_found', 'bundle.item_kind')
  const isAway = isOffline(error)
  const Icon = isGone ? IconFileOff : isMissing ? IconFolderOff : isAway ? IconWifiOff : IconPlugConnectedX
  const [title, text] = isGone
    ? [t('bundle.goneTitle'), t('bundle.goneText')]
    : isMissing
      ? [t('bundle.noFolder'), t('bundle.noFolderText')]
      : [t('bundle.listFailed'), isAway ? t('shell.pageOffline.text') : errorText(error)]
  return (
    <PageMessage level={2} icon={<Icon {...ICON} />} title={title} text={text}>
      {!isMissing && (
        <Button variant={isGone ? 'default' : 'filled'} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
      {path !== ROOT && (
        <Button
          variant={isMissing ? 'filled' : 'default'}
          renderRoot={(props) => <Link {...folderLink(ROOT)} {...props} />}
        >
          {t('bundle.toTop')}
        </Button>
      )}
    </PageMessage>
  )
}
