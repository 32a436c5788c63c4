import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { mayLogOut } from '../before-logout.ts'
import { endSession, useSession } from '../session.ts'
import { Banner } from '../../../ui/feedback/message.tsx'

interface LockedBannerProps {
  /** URL to return to after the login. */
  from: string
  /** Label of the link for logging in with another account. Users without the permission see this link. */
  switchLabel: string
  children: ReactNode
}

/**
 * Explains that a page is not available to visitors or to an API key without the permission, and links to the login.
 */
export function LockedBanner({ from, switchLabel, children }: LockedBannerProps) {
  const { t } = useT()
  const navigate = useNavigate()
  const isVisitor = useSession().kind === 'none'
  // Ends the session first, because the login page redirects a user who has a session.
  const switchAccount = async () => {
    if (!(await mayLogOut())) return
    endSession('logout')
    await navigate({ to: '/admin', search: { from } })
  }
  return (
    <Banner
      tone={isVisitor ? 'info' : 'warning'}
      actions={
        <Button
          size="compact-md"
          renderRoot={(props) => (
            <Link
              to="/admin"
              search={{ from }}
              {...props}
              onClick={(event) => {
                if (isVisitor) return
                event.preventDefault()
                void switchAccount()
              }}
            />
          )}
        >
          {isVisitor ? t('common.logIn') : switchLabel}
        </Button>
      }
    >
      {children}
    </Banner>
  )
}
