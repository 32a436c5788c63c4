import { paths } from '../../../lib/paths.ts'
import type { Entry } from '../models/entries.ts'
import styles from './entry-link.module.css'
import { hrefOf } from '../../../lib/base-path.ts'
import { showUnseen } from '../../../lib/unseen-letters.ts'
import { ShownName } from '../../../ui/shown-name.tsx'

/** A link, so that it can be opened in another tab; the canvas acts on the click. */
export function EntryLink({ entry, parent }: { entry: Entry; parent: string }) {
  const href = entry.isFolder ? paths.explorer(entry.path) : paths.explorer(parent, entry.name)
  return (
    <a
      href={hrefOf(href)}
      tabIndex={-1}
      className={styles.link}
      data-role="open"
      title={showUnseen(entry.name)}
      draggable={!entry.isVirtual}
    >
      <ShownName name={entry.name} />
    </a>
  )
}
