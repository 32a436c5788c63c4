import { shareRoutes } from '@dropleaf/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import { api } from '../../api/api-client.ts'
import { useSession } from '../../session/session.ts'
import { can } from '../../session/stored-session.ts'
import type { SharePlace } from './device.ts'
import styles from './opening.module.css'
import { KINDS_OF_LISTS, listsShare } from './own-share-model.ts'

async function findOwn(place: SharePlace, isAdmin: boolean): Promise<boolean> {
  const query = {
    search: place.slug,
    limit: 50,
    // Limits the list to the administrator's shares, because without this filter it contains the shares of all users.
    ...(isAdmin && { created_by: 'admin' }),
  }
  const { data } = await api(shareRoutes.list, { query })
  return listsShare(data.shares, place)
}

/**
 * Shows the owner of a share where to view the share without using a view. Sends the request only after the page is
 * shown, because most visitors are not the owner.
 */
export function OwnShare({ place }: { place: SharePlace }) {
  const { t } = useT()
  const session = useSession()
  const list = KINDS_OF_LISTS[place.kind]
  const { data: isOwn = false } = useQuery({
    queryKey: ['opening', 'own', place.kind, place.slug],
    queryFn: () => findOwn(place, session.kind === 'admin'),
    enabled: list !== null && can(session, list.permission),
    retry: false,
    gcTime: 0,
    meta: { isPrivate: true },
  })
  if (!isOwn || list === null) return null
  return (
    <p className={styles.text}>
      {t('opening.yours')}{' '}
      <Link to="/admin/$module" params={{ module: list.module }} search={{ q: place.slug }}>
        {t('opening.inList')}
      </Link>
    </p>
  )
}
