import { Button } from '@mantine/core'
import { useId } from 'react'
import { LoginForm } from '../../features/auth/components/login-form.tsx'
import { useT } from '../../i18n/use-translation.ts'
import { goOnAsVisitor, type LoginAgain } from '../../domains/session/session.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import styles from './login-again.module.css'

function whyOf({ session, reason }: LoginAgain) {
  if (session === null) return 'asked'
  if (reason !== null && reason !== 'logout') return reason
  return session.kind === 'admin' ? 'admin-expired' : 'asked'
}

/** The login dialog above a page with unsaved work; the page keeps its state. */
export function LoginAgainDialog({ again }: { again: LoginAgain }) {
  const { t } = useT()
  const textId = useId()
  return (
    <Dialog title={t('auth.again.title')} describedBy={textId} onClose={goOnAsVisitor}>
      <p id={textId} className={styles.text}>
        {t(`auth.again.${whyOf(again)}`)}
      </p>
      <LoginForm
        isEmbedded
        firstMode={again.session?.kind === 'apikey' ? 'key' : 'admin'}
        onDone={() => undefined}
      />
      <Button variant="subtle" color="gray" fullWidth mt={8} onClick={goOnAsVisitor}>
        {t(again.isLosing ? 'auth.again.discard' : 'auth.again.notNow')}
      </Button>
    </Dialog>
  )
}
