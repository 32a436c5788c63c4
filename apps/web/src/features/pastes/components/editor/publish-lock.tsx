import { paths } from '../../../../lib/paths.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { can, type Session } from '../../../../domains/session/stored-session.ts'
import { LockedBanner } from '../../../../domains/session/components/locked-banner.tsx'

function reasonOf(session: Session): 'visitor' | 'key' | 'nothing' {
  if (session.kind !== 'apikey') return 'visitor'
  // Other pages redirect API keys without permissions to this page.
  return can(session, 'file') || can(session, 'mount') ? 'key' : 'nothing'
}

/** Explains why publishing is not possible. The text stays in the editor. */
export function PublishLock({ session }: { session: Session }) {
  const { t } = useT()
  return (
    <LockedBanner from={paths.home} switchLabel={t('home.locked.switch')}>
      {t(`home.locked.${reasonOf(session)}`)}
    </LockedBanner>
  )
}
