import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { useSession } from '../../../domains/session/session.ts'
import { can } from '../../../domains/session/stored-session.ts'
import type { Entry } from '../models/entries.ts'
import { asFolder, isWithin, nameOfPath, parentOf } from '../models/fs-paths.ts'
import styles from './explorer.module.css'
import { FolderView } from './folder-view.tsx'
import { NoMounts, OutsideBase } from './refusals.tsx'
import { useAddress } from './use-address.ts'

/** Content and actions from other features. */
export interface ExplorerSlots {
  /** Content at the end of the row with the path. */
  toolbarEnd?: ReactNode
  /** Opens the upload dialog for a folder. */
  onUpload?: (folder: string) => void
  onShare?: (entries: readonly Entry[]) => void
  /** Shares an encrypted copy of the entries. */
  onSealedCopy?: (entries: readonly Entry[]) => void
  /** Called before a manual refresh, because the permissions might have changed. */
  onRefresh?: () => Promise<void>
  onAddToBasket?: (entries: readonly Entry[]) => void
}

export function Explorer(slots: ExplorerSlots) {
  const { t } = useT()
  const session = useSession()
  const address = useAddress()
  const base = session.kind === 'apikey' ? asFolder(session.info.basic_path) : '/'
  const { path, openFolder } = address
  const isAtTop = path === '/' && base !== '/'
  const came = useCameFrom(path)
  const title = path === '/' ? t('explorer.title') : nameOfPath(path)
  // The page title is the name of the previewed file, if any.
  usePageTitle(address.preview ?? title)
  useEffect(() => {
    if (isAtTop) openFolder(base, { replace: true })
  }, [isAtTop, base, openFolder])
  if (!can(session, 'mount')) return <NoMounts session={session} />
  if (isAtTop) return null
  if (!isWithin(path, base)) return <OutsideBase base={base} onOpen={() => openFolder(base)} />
  const isReader = session.kind === 'apikey' && session.permissions.mount_read_only
  return (
    <div className={styles.page}>
      <h1 className="dl-sr">{title}</h1>
      <FolderView
        key={path}
        address={address}
        base={base}
        isReader={isReader}
        isAdmin={session.kind === 'admin'}
        cameFrom={came !== null && parentOf(came) === path ? came : null}
        slots={slots}
      />
    </div>
  )
}

/** Returns the folder that was open before. It becomes the active entry when the user goes up to its parent. */
function useCameFrom(path: string): string | null {
  const [visited, setVisited] = useState<{ now: string; before: string | null }>({ now: path, before: null })
  if (visited.now === path) return visited.before
  setVisited({ now: path, before: visited.now })
  return visited.now
}
