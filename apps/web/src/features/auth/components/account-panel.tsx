import { Button } from '@mantine/core'
import { IconKey, IconUserCog } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import type { Session } from '../../../domains/session/stored-session.ts'
import { logout } from '../api/auth.api.ts'
import styles from './account-panel.module.css'
import { PermissionText } from './permission-text.tsx'

type LoggedIn = Exclude<Session, { kind: 'none' }>

/** Shows the user and their permissions. */
export function AccountPanel({ session }: { session: LoggedIn }) {
  const { t } = useT()
  const isAdmin = session.kind === 'admin'
  return (
    <div className={styles.panel}>
      <div className={styles.identity}>
        <div className={styles.avatar}>
          {isAdmin ? <IconUserCog size={24} aria-hidden /> : <IconKey size={24} aria-hidden />}
        </div>
        <div className={styles.who}>
          <h1 className={styles.name} dir="auto">
            {isAdmin ? t('auth.administrator') : session.info.name}
          </h1>
          <p className={styles.kind}>{isAdmin ? t('auth.adminMode') : t('auth.keyMode')}</p>
        </div>
        <Button variant="default" onClick={() => void logout()}>
          {t('common.logOut')}
        </Button>
      </div>
      <dl className={styles.facts}>
        <dt>{t('auth.mayDo')}</dt>
        <dd>
          <PermissionText session={session} />
        </dd>
        {!isAdmin && session.permissions.mount && (
          <>
            <dt>{t('auth.basicPath')}</dt>
            <dd>{session.info.basic_path}</dd>
          </>
        )}
      </dl>
    </div>
  )
}
