import { lazy, type ReactNode, Suspense, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { useSealing } from '../../../domains/sealed/policy/use-sealing.ts'
import { useSession } from '../../../domains/session/session.ts'
import { can, personOf, type Session } from '../../../domains/session/stored-session.ts'
import { useWork } from '../../../domains/session/use-work.ts'
import { LockedBanner } from '../../../domains/session/components/locked-banner.tsx'
import { SegmentedControl } from '../../../ui/buttons/segmented-control.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { RecentFiles } from '../components/recent-files.tsx'
import styles from '../components/upload.module.css'
import { UploadPanel } from '../components/upload-panel.tsx'

export function UploadPage(): ReactNode {
  const { t } = useT()
  const session = useSession()
  usePageTitle(t('files.upload.title'))
  return (
    <div className={styles.page}>
      <h1 className={styles.title}>{t('files.upload.title')}</h1>
      {can(session, 'file') ? <Tabs key={personOf(session)} /> : <Locked session={session} />}
    </div>
  )
}

const UrlPanel = lazy(async () => ({ default: (await import('../url/url-panel.tsx')).UrlPanel }))

/** Tabs for sharing local files or a file from a URL. */
function Tabs() {
  const { t } = useT()
  useWork()
  const [tab, setTab] = useState<'files' | 'url'>('files')
  return (
    <>
      <div className={styles.tabs}>
        <SegmentedControl<'files' | 'url'>
          label={t('files.upload.tabs.label')}
          value={tab}
          options={[
            { value: 'files', label: t('files.upload.tabs.files') },
            { value: 'url', label: t('files.upload.tabs.url') },
          ]}
          onChange={setTab}
        />
      </div>
      {tab === 'files' ? (
        <UploadPanel>
          <RecentFiles />
        </UploadPanel>
      ) : (
        <UrlTab />
      )}
    </>
  )
}

/** A share from a URL is never end-to-end encrypted, because the server can fetch the file. */
function UrlTab() {
  const { t } = useT()
  const { isShown, isBlocked, reason } = useSealing()
  if (isBlocked || reason === 'required')
    return (
      <>
        <Banner tone="warning">{t('sealing.urlRequired')}</Banner>
        <RecentFiles />
      </>
    )
  return (
    <>
      {isShown && <Banner tone="info">{t('sealing.url')}</Banner>}
      <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
        <UrlPanel>
          <RecentFiles />
        </UrlPanel>
      </Suspense>
    </>
  )
}

function Locked({ session }: { session: Session }) {
  const { t } = useT()
  return (
    <LockedBanner from={paths.upload} switchLabel={t('files.upload.locked.switch')}>
      {session.kind === 'none' ? t('files.upload.locked.visitor') : t('files.upload.locked.key')}
    </LockedBanner>
  )
}
