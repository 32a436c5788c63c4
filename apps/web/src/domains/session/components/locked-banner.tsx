import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { endSession, useSession } from '../session.ts'
import { Banner } from '../../../ui/feedback/message.tsx'

interface LockedBannerProps {
  /** Address to come back to. */
  from: string
  /** Of the way to another account, for those who have one that does not do. */
  switchLabel: string
  children: ReactNode
}

/** Why a page is closed to visitors, or to a key without the permission, with the way to the login. */
export function LockedBanner({ from, switchLabel, children }: LockedBannerProps) {
  const { t } = useT()
  const isVisitor = useSession().kind === 'none'
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
              onClick={() => {
                if (!isVisitor) endSession('logout')
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
