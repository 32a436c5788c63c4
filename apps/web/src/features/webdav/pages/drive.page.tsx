import { Button } from '@mantine/core'
import { IconNetwork } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { serverAddress } from '../../../lib/server-address.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { openPathOf, visibleMounts } from '../../../domains/storages/mount-queries.ts'
import { useSession } from '../../../domains/session/session.ts'
import { type Session } from '../../../domains/session/stored-session.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Banner, PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { AddressPanel, type DriveMount } from '../components/address-panel.tsx'
import styles from '../components/drive.module.css'
import { KEY_USER_NAME, SignInPanel } from '../components/sign-in-panel.tsx'
import { SystemsPanel } from '../components/systems-panel.tsx'
import { isReadableOnTheWay } from '../models/drive-address.ts'

const ADMIN_USER_NAME = 'admin'

/** Explains how to connect to the mounts as a network drive. */
export function DrivePage() {
  const { t } = useT()
  const session = useSession()
  const mounts = useQuery(visibleMounts())
  return (
    <ModuleList
      title={t('manage.modules.webdav')}
      query={mounts}
      isEmpty={({ length }) => length === 0}
      empty={<NothingYet isAdmin={session.kind === 'admin'} />}
    >
      {(data) => {
        const basePath = session.kind === 'apikey' ? session.info.basic_path : '/'
        const [first, ...others] = data.map(({ id, name, mount_path: mountPath }) => ({
          id,
          name,
          path: openPathOf(mountPath, basePath),
        }))
        return first && <Drive session={session} mounts={[first, ...others]} />
      }}
    </ModuleList>
  )
}

interface DriveProps {
  session: Session
  mounts: readonly [DriveMount, ...DriveMount[]]
}

function Drive({ session, mounts }: DriveProps) {
  const { t } = useT()
  const origin = serverAddress()
  const hasKey = session.kind === 'apikey'
  return (
    <div className={styles.page}>
      <p className={formStyles.text}>{t('webdav.intro')}</p>
      {isReadableOnTheWay(origin) && <Banner tone="warning">{t('webdav.readable')}</Banner>}
      <AddressPanel origin={origin} mounts={mounts} />
      <SignInPanel session={session} />
      <SystemsPanel
        origin={origin}
        mounts={mounts}
        hasKey={hasKey}
        usualName={hasKey ? KEY_USER_NAME : ADMIN_USER_NAME}
        canWrite={!hasKey || !session.permissions.mount_read_only}
      />
    </div>
  )
}

function NothingYet({ isAdmin }: { isAdmin: boolean }) {
  const { t } = useT()
  return (
    <PageMessage
      level={2}
      icon={<IconNetwork size={28} aria-hidden />}
      title={t('webdav.empty.title')}
      text={t(isAdmin ? 'webdav.empty.text' : 'webdav.empty.keyText')}
    >
      {isAdmin && (
        <Button
          renderRoot={(props) => (
            <Link to="/admin/$module" params={{ module: 'mount-management' }} {...props} />
          )}
        >
          {t('webdav.empty.toMounts')}
        </Button>
      )}
    </PageMessage>
  )
}
