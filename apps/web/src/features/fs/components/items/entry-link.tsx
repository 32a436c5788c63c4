import { use } from 'react'
import type { Entry } from '../../models/entries.ts'
import styles from './entry-link.module.css'
import { EntryUrlsContext } from './entry-urls.ts'
import { partsOfLongName, piecesOfName } from '../../../../lib/text/name-parts.ts'
import { directionOf } from '../../../../lib/text/right-to-left.ts'
import { showInvisible } from '../../../../lib/text/invisible-characters.ts'
import nameStyles from '../../../../ui/layout/display-name.module.css'
import { DisplayName } from '../../../../ui/layout/display-name.tsx'

/** The name of an entry, as a link, so that the user can open it in another tab. `ItemCanvas` handles the click. */
export function EntryLink({ entry, parent }: { entry: Entry; parent: string }) {
  const parts = partsOfLongName(entry.name)
  const pieces = piecesOfName(parts?.[0] ?? entry.name)
  const isInParts = parts !== null || pieces.length > 1
  const { hrefOf } = use(EntryUrlsContext)
  return (
    <a
      href={hrefOf(entry, parent)}
      tabIndex={-1}
      className={styles.link}
      data-role="open"
      // Without a label, screen readers would announce a space between the parts of a name.
      aria-label={isInParts ? entry.name : undefined}
      dir={directionOf(entry.name)}
      title={showInvisible(entry.name)}
      draggable={!entry.isVirtual}
    >
      {isInParts ? (
        <bdi className={parts ? nameStyles.long : undefined}>
          <span className={parts ? nameStyles.start : undefined}>
            {pieces.map(({ text, isWhole }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- the parts are static
              <span key={at} className={isWhole ? nameStyles.whole : undefined}>
                {text}
              </span>
            ))}
          </span>
          {parts && <span className={nameStyles.end}>{parts[1]}</span>}
        </bdi>
      ) : (
        <DisplayName name={entry.name} />
      )}
    </a>
  )
}
