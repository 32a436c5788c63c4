import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import type { Session } from '../../../domains/session/stored-session.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import formStyles from '../../../ui/forms/form.module.css'
import { Banner } from '../../../ui/feedback/message.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from './drive.module.css'

/** Suggested user name. Any user name works with an API key. */
export const KEY_USER_NAME = 'dropleaf'

type KeySession = Extract<Session, { kind: 'apikey' }>

/** Shows the user name and password for WebDAV clients. */
export function SignInPanel({ session }: { session: Session }) {
  const { t } = useT()
  return (
    <Panel title={t('webdav.signIn.title')}>
      {session.kind === 'apikey' ? <ForKey session={session} /> : <ForAdmin />}
    </Panel>
  )
}

function ForAdmin() {
  const { t } = useT()
  return (
    <div className={styles.ways}>
      <div className={styles.way}>
        <h3 className={styles.name}>{t('webdav.signIn.withKey')}</h3>
        <p className={formStyles.text}>{t('webdav.signIn.withKeyText')}</p>
        <Facts
          userName={t('webdav.signIn.anyName', { name: KEY_USER_NAME })}
          password={t('webdav.signIn.theKey')}
        />
        <Button
          renderRoot={(props) => (
            <Link to="/admin/$module" params={{ module: 'key-management' }} {...props} />
          )}
          className={styles.next ?? ''}
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
        >
          {t('webdav.signIn.toKeys')}
        </Button>
      </div>
      <div className={styles.way}>
        <h3 className={styles.name}>{t('webdav.signIn.asAdmin')}</h3>
        <p className={formStyles.text}>{t('webdav.signIn.asAdminText')}</p>
        <Facts userName={t('webdav.signIn.adminName')} password={t('webdav.signIn.adminPassword')} />
      </div>
    </div>
  )
}

function ForKey({ session }: { session: KeySession }) {
  const { t } = useT()
  const what = t('webdav.signIn.key')
  return (
    <>
      {session.permissions.mount_read_only && <Banner tone="info">{t('webdav.signIn.readOnly')}</Banner>}
      <p className={formStyles.text}>{t('webdav.signIn.keyText')}</p>
      <Facts
        userName={t('webdav.signIn.anyName', { name: KEY_USER_NAME })}
        password={
          <>
            {t('webdav.signIn.yourKey')}
            <CopyButton
              text={session.key}
              label={t('webdav.copyOf', { what })}
              said={t('webdav.copied', { what })}
            />
          </>
        }
      />
    </>
  )
}

function Facts({ userName, password }: { userName: ReactNode; password: ReactNode }) {
  const { t } = useT()
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('webdav.signIn.userName')}</dt>
        <dd>{userName}</dd>
      </div>
      <div>
        <dt>{t('webdav.signIn.password')}</dt>
        <dd>{password}</dd>
      </div>
    </dl>
  )
}
