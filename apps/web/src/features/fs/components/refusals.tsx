import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { paths } from '../../../app/paths.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { Session } from '../../../lib/session.ts'
import { endSession } from '../../../lib/session.ts'
import { Banner } from '../../../ui/message.tsx'
import styles from './explorer.module.css'

/** To visitors, and to keys without the permission. */
export function NoMounts({ session }: { session: Session }) {
  const { t } = useT()
  const isVisitor = session.kind === 'none'
  return (
    <div className={styles.page}>
      <h1>{t('explorer.title')}</h1>
      <Banner
        tone="info"
        actions={
          <Button
            size="compact-md"
            renderRoot={(props) => (
              <Link
                to="/admin"
                search={{ from: paths.explorer('/') }}
                {...props}
                onClick={() => {
                  if (!isVisitor) endSession('logout')
                }}
              />
            )}
          >
            {isVisitor ? t('common.logIn') : t('explorer.locked.switch')}
          </Button>
        }
      >
        {isVisitor ? t('explorer.locked.visitor') : t('explorer.locked.key')}
      </Banner>
    </div>
  )
}

/** To keys, above and beside their folder. */
export function OutsideBase({ base, onOpen }: { base: string; onOpen: () => void }) {
  const { t } = useT()
  return (
    <div className={styles.page}>
      <h1>{t('explorer.title')}</h1>
      <Banner
        tone="warning"
        actions={
          <Button size="compact-md" onClick={onOpen}>
            {t('explorer.locked.openBase')}
          </Button>
        }
      >
        {t('explorer.locked.outside', { path: base })}
      </Banner>
    </div>
  )
}
