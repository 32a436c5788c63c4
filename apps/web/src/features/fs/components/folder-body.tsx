import { fsListingRoutes } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconFolderOff,
  IconFolderOpen,
  IconPhotoOff,
  IconPlugConnectedX,
  IconWifiOff,
  IconSearchOff,
  IconServer2,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isOffline } from '../../../lib/api-error.ts'
import { paths } from '../../../lib/paths.ts'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Banner, PageMessage } from '../../../ui/feedback/message.tsx'
import { OfflineCopy } from '../../../domains/offline/components/offline-copy.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { isGone } from '../api/fs.queries.ts'
import type { Listing } from '../models/listing.ts'
import { changeSettings, useSettings } from '../models/settings.ts'
import styles from './explorer.module.css'
import { useFolderScreen } from './explorer-context.ts'
import { focusGrid } from './items/focus-grid.ts'
import { GalleryView } from './gallery/gallery-view.tsx'
import { GridView } from './items/grid-view.tsx'
import { ListView } from './items/list-view.tsx'

interface FolderBodyProps {
  listing: UseQueryResult<Listing>
  isFiltered: boolean
  /** The number of entries that the view hides. */
  omittedCount: number
  isAdmin: boolean
  onClearFilter: () => void
}

/** Shows the entries of a folder, or explains why there are none. */
export function FolderBody({ listing, isFiltered, omittedCount, isAdmin, onClearFilter }: FolderBodyProps) {
  const { t } = useT()
  const { entries } = useFolderScreen()
  const { data } = listing
  // A deleted folder must not show its cached entries.
  if (listing.isError && (!data || isGone(listing.error)))
    return <LoadFailure error={listing.error} onRetry={() => void listing.refetch()} />
  if (!data) return <RowSkeletons />
  return (
    <>
      <OfflineCopy
        url={routeUrl(fsListingRoutes.list.path, { query: { path: data.path } })}
        onReload={() => void listing.refetch()}
      />
      {listing.isError && (
        <FailedBanner
          error={listing.error}
          text={t(data.isComplete ? 'explorer.stale' : 'explorer.partial', {
            reason: errorText(listing.error),
          })}
          onRetry={() => void listing.refetch()}
        />
      )}
      {data.notShownCount > 0 && (
        <Banner tone="warning">{t('explorer.notShown', { count: data.notShownCount })}</Banner>
      )}
      <output className="dl-sr">
        {isFiltered && entries.length > 0 && t('explorer.items', { count: entries.length })}
      </output>
      {entries.length > 0 ? (
        <Entries />
      ) : omittedCount > 0 ? null : isFiltered ? (
        <PageMessage
          level={2}
          icon={<IconSearchOff size={28} aria-hidden />}
          title={t('explorer.empty.filterTitle')}
          text={t('explorer.empty.filterText')}
        >
          <Button variant="default" onClick={onClearFilter}>
            {t('explorer.empty.filterClear')}
          </Button>
        </PageMessage>
      ) : (
        <EmptyFolder isRoot={data.path === '/'} isAdmin={isAdmin} hasMore={data.notShownCount > 0} />
      )}
      {omittedCount > 0 && <Omitted count={omittedCount} isAll={entries.length === 0} />}
      {!data.isComplete && listing.isFetching && (
        <output className={styles.rest}>{t('explorer.loadingRest')}</output>
      )}
    </>
  )
}

function Entries() {
  const { view } = useSettings()
  switch (view) {
    case 'list':
      return <ListView />
    case 'grid':
      return <GridView />
    case 'gallery':
      return <GalleryView />
    default:
      return view satisfies never
  }
}

/** Shows how many files the gallery cannot show. */
function Omitted({ count, isAll }: { count: number; isAll: boolean }) {
  const { t } = useT()
  const showList = () => {
    changeSettings({ view: 'list' })
    // The button disappears with the gallery, so the list gets the focus.
    setTimeout(focusGrid)
  }
  const button = (
    <Button variant="default" onClick={showList}>
      {t('explorer.gallery.showList')}
    </Button>
  )
  if (isAll) {
    return (
      <PageMessage
        level={2}
        icon={<IconPhotoOff size={28} aria-hidden />}
        title={t('explorer.gallery.noneTitle')}
        text={t('explorer.gallery.noneText', { count })}
      >
        {button}
      </PageMessage>
    )
  }
  return (
    <div className={styles.omitted}>
      <span>{t('explorer.gallery.omitted', { count })}</span>
      {button}
    </div>
  )
}

function RowSkeletons() {
  const { t } = useT()
  const widths = ['52%', '38%', '61%', '44%', '57%', '35%', '49%', '41%']
  return (
    <div className={styles.skeleton}>
      <SkeletonLines label={t('common.loading')} widths={widths} />
    </div>
  )
}

interface EmptyFolderProps {
  isRoot: boolean
  isAdmin: boolean
  /** Whether the folder has entries that cannot be shown. */
  hasMore: boolean
}

function EmptyFolder({ isRoot, isAdmin, hasMore }: EmptyFolderProps) {
  const { t } = useT()
  const { canWrite, upload, makeFolder } = useFolderScreen()
  const isTouch = useMediaQuery('(hover: none)', undefined, { getInitialValueInEffect: false }) ?? false
  if (isRoot) {
    return (
      <PageMessage
        level={2}
        icon={<IconServer2 size={28} aria-hidden />}
        title={t('explorer.empty.rootTitle')}
        text={t(isAdmin ? 'explorer.empty.rootAdmin' : 'explorer.empty.rootKey')}
      >
        {isAdmin && (
          <Button renderRoot={(props) => <Link to="/admin" {...props} />}>
            {t('explorer.empty.rootGo')}
          </Button>
        )}
      </PageMessage>
    )
  }
  return (
    <PageMessage
      level={2}
      icon={<IconFolderOpen size={28} aria-hidden />}
      title={t(hasMore ? 'explorer.empty.nothingShown' : 'explorer.empty.title')}
      {...(canWrite && { text: t(isTouch ? 'explorer.empty.textTouch' : 'explorer.empty.text') })}
    >
      {upload && <Button onClick={upload}>{t('explorer.upload')}</Button>}
      {canWrite && (
        <Button variant="default" onClick={makeFolder}>
          {t('explorer.newFolder.open')}
        </Button>
      )}
    </PageMessage>
  )
}

function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }): ReactNode {
  const { t } = useT()
  const { base } = useFolderScreen()
  const isMissing = isGone(error)
  const isAway = isOffline(error)
  const Icon = isMissing ? IconFolderOff : isAway ? IconWifiOff : IconPlugConnectedX
  const reason = isAway ? t('shell.pageOffline.text') : errorText(error)
  return (
    <PageMessage
      level={2}
      icon={<Icon size={28} aria-hidden />}
      title={t(isMissing ? 'explorer.failed.goneTitle' : 'explorer.failed.title')}
      text={isMissing ? t('explorer.failed.goneText') : reason}
    >
      <Button variant={isMissing ? 'default' : 'filled'} onClick={onRetry}>
        {t('common.retry')}
      </Button>
      <Button
        variant={isMissing ? 'filled' : 'default'}
        renderRoot={(props) => <Link to={paths.explorer(base)} {...props} />}
      >
        {t('explorer.failed.goTop')}
      </Button>
    </PageMessage>
  )
}
