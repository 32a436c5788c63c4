import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import type { Session } from '../../../domains/session/stored-session.ts'
import { LockedBanner } from '../../../domains/session/components/locked-banner.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import styles from './explorer.module.css'

/** Shown to visitors, and to API keys without permission for mounts. */
export function NoMounts({ session }: { session: Session }) {
  const { t } = useT()
  const { href } = useLocation()
  return (
    <div className={styles.refusal}>
      <h1 className={styles.heading}>{t('explorer.title')}</h1>
      <LockedBanner from={href} switchLabel={t('explorer.locked.switch')}>
        {session.kind === 'none' ? t('explorer.locked.visitor') : t('explorer.locked.key')}
      </LockedBanner>
    </div>
  )
}

/** Shown if an API key opens a path outside its base path. */
export function OutsideBase({ base, onOpen }: { base: string; onOpen: () => void }) {
  const { t } = useT()
  return (
    <div className={styles.refusal}>
      <h1 className={styles.heading}>{t('explorer.title')}</h1>
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
