import { paths } from '../../../lib/paths.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import type { Session } from '../../../lib/stored-session.ts'
import { LockedBanner } from '../../../ui/locked-banner.tsx'

/** Why publishing is not possible, and the way on. What has been typed stays. */
export function PublishLock({ session }: { session: Session }) {
  const { t } = useT()
  return (
    <LockedBanner from={paths.home} switchLabel={t('home.locked.switch')}>
      {session.kind === 'apikey' ? t('home.locked.key') : t('home.locked.visitor')}
    </LockedBanner>
  )
}
