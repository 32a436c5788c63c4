import { useSession } from '../../../domains/session/session.ts'
import { AdminMounts } from '../components/admin-mounts.tsx'
import { KeyMounts } from '../components/key-mounts.tsx'

/** Lets administrators manage mounts; shows an API key its own mounts. */
export function MountsPage() {
  const session = useSession()
  return session.kind === 'apikey' ? <KeyMounts session={session} /> : <AdminMounts />
}
