import { useSession } from '../../../domains/session/session.ts'
import { AdminMounts } from '../components/admin-mounts.tsx'
import { KeyMounts } from '../components/key-mounts.tsx'

/** Mounts: where storages appear. The holder of a key looks at theirs. */
export function MountsPage() {
  const session = useSession()
  return session.kind === 'apikey' ? <KeyMounts session={session} /> : <AdminMounts />
}
