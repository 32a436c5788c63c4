import { useRouter, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { safeReturnPath } from '../../../app/paths.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useSession } from '../../../lib/session.ts'
import { AccountPanel } from '../components/account-panel.tsx'
import { LoginForm } from '../components/login-form.tsx'

/** Login for visitors; for everybody else, who they are. Leads back to where the visitor came from. */
export function AccountPage(): ReactNode {
  const { t } = useT()
  const session = useSession()
  const router = useRouter()
  const { from } = useSearch({ strict: false })
  usePageTitle(session.kind === 'none' ? t('auth.title') : t('shell.titles.admin'))
  const goBack = () => {
    const target = safeReturnPath(from)
    if (target) router.history.replace(target)
  }
  return session.kind === 'none' ? <LoginForm onDone={goBack} /> : <AccountPanel session={session} />
}
