import { paths } from '../../../lib/paths.ts'
import type { Entry } from '../models/entries.ts'
import styles from './entry-link.module.css'
import { hrefOf } from '../../../lib/base-path.ts'
import { partsOfLongName } from '../../../lib/name-parts.ts'
import { directionOf } from '../../../lib/right-to-left.ts'
import { showUnseen } from '../../../lib/unseen-letters.ts'
import nameStyles from '../../../ui/shown-name.module.css'
import { ShownName } from '../../../ui/shown-name.tsx'

/** A link, so that it can be opened in another tab; the canvas acts on the click. */
export function EntryLink({ entry, parent }: { entry: Entry; parent: string }) {
  const parts = partsOfLongName(entry.name)
  const href = entry.isFolder ? paths.explorer(entry.path) : paths.explorer(parent, entry.name)
  return (
    <a
      href={hrefOf(href)}
      tabIndex={-1}
      className={styles.link}
      data-role="open"
      // Its parts are boxes of their own, between which a blank would be spoken.
      aria-label={parts ? entry.name : undefined}
      dir={directionOf(entry.name)}
      title={showUnseen(entry.name)}
      draggable={!entry.isVirtual}
    >
      {parts ? (
        <bdi className={nameStyles.long}>
          <span className={nameStyles.start}>{parts[0]}</span>
          <span className={nameStyles.end}>{parts[1]}</span>
        </bdi>
      ) : (
        <ShownName name={entry.name} />
      )}
    </a>
  )
}
