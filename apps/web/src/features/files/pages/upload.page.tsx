import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { paths } from '../../../app/paths.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import type { Session } from '../../../lib/session.ts'
import { can, endSession, useSession } from '../../../lib/session.ts'
import { Banner } from '../../../ui/message.tsx'
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
      {can(session, 'file') ? (
        <UploadPanel>
          <RecentFiles />
        </UploadPanel>
      ) : (
        <Locked session={session} />
      )}
    </div>
  )
}

function Locked({ session }: { session: Session }) {
  const { t } = useT()
  const isVisitor = session.kind === 'none'
  return (
    <Banner
      tone="info"
      actions={
        <Button
          size="compact-md"
          renderRoot={(props) => (
            <Link
              to="/admin"
              search={{ from: paths.upload }}
              {...props}
              onClick={() => {
                if (!isVisitor) endSession('logout')
              }}
            />
          )}
        >
          {isVisitor ? t('common.logIn') : t('files.upload.locked.switch')}
        </Button>
      }
    >
      {isVisitor ? t('files.upload.locked.visitor') : t('files.upload.locked.key')}
    </Banner>
  )
}
