import { paths } from '../../../../lib/paths.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { can, type Session } from '../../../../domains/session/stored-session.ts'
import { LockedBanner } from '../../../../domains/session/components/locked-banner.tsx'

function reasonOf(session: Session): 'visitor' | 'key' | 'nothing' {
  if (session.kind !== 'apikey') return 'visitor'
  // Whatever page it asks for, it is sent here.
  return can(session, 'file') || can(session, 'mount') ? 'key' : 'nothing'
}

/** Why publishing is not possible, and the way on. What has been typed stays. */
export function PublishLock({ session }: { session: Session }) {
  const { t } = useT()
  return (
    <LockedBanner from={paths.home} switchLabel={t('home.locked.switch')}>
      {t(`home.locked.${reasonOf(session)}`)}
    </LockedBanner>
  )
}
