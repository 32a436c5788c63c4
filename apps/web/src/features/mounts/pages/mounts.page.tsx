import { useSession } from '../../../domains/session/session.ts'
import { AdminMounts } from '../components/admin-mounts.tsx'
import { KeyMounts } from '../components/key-mounts.tsx'

/** Manages mounts; for a key, lists its own. */
export function MountsPage() {
  const session = useSession()
  return session.kind === 'apikey' ? <KeyMounts session={session} /> : <AdminMounts />
}
