import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { Session } from '../../../lib/stored-session.ts'
import { endSession } from '../../../lib/session.ts'
import { Banner } from '../../../ui/message.tsx'

/** Why publishing is not possible, and the way on. What has been typed stays. */
export function PublishLock({ session }: { session: Session }) {
  const { t } = useT()
  const isKey = session.kind === 'apikey'
  return (
    <Banner
      tone={isKey ? 'warning' : 'info'}
      actions={
        <Button
          size="compact-md"
          renderRoot={(props) => (
            <Link
              to="/admin"
              search={{ from: '/' }}
              {...props}
              onClick={() => {
                if (isKey) endSession('logout')
              }}
            />
          )}
        >
          {isKey ? t('home.locked.switch') : t('common.logIn')}
        </Button>
      }
    >
      {isKey ? t('home.locked.key') : t('home.locked.visitor')}
    </Banner>
  )
}
