import type { Opening, OpeningNote } from '@dropleaf/contract'
import { IconHandClick } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { TimeCell } from './share-cells.tsx'
import styles from './share-table.module.css'

/** How a share opens and its record of openings, for its owner. */
export interface OpeningFacts {
  readonly asks: boolean
  readonly hasPin: boolean
  /** `null` until the server has recorded an event. */
  readonly note: OpeningNote | null
  /** Whether the contents of the used-up share are deleted. */
  readonly isGone: boolean
}

interface OnTheWire {
  readonly opening: Opening
  readonly has_pin: boolean
  readonly opening_note: OpeningNote | null
  readonly purged_at?: string | null | undefined
}

export const openingFactsOf = (share: OnTheWire): OpeningFacts => ({
  asks: share.opening === 'ask',
  hasPin: share.has_pin,
  note: share.opening_note,
  isGone: (share.purged_at ?? null) !== null,
})

/**
 * Whether the record contains anything that a reset would clear. False if the share opens directly, or if its contents
 * are deleted.
 */
export const isArmable = ({ asks, note, isGone }: OpeningFacts): boolean =>
  asks && !isGone && note !== null && (note.opened_at !== null || note.wrong_pins > 0)

/** Marks a share that requires confirmation. */
export function OpeningMark({ facts }: { facts: OpeningFacts }) {
  const { t } = useT()
  if (!facts.asks) return null
  const name = t(facts.hasPin ? 'shares.opening.askPin' : 'shares.opening.ask')
  return (
    <span className={styles.lock} title={name}>
      <IconHandClick size={16} aria-hidden />
      <span className="dl-sr">{name}</span>
    </span>
  )
}

/** Shows the last opening and the number of previews, briefly enough for a table cell. */
export function OpeningNews({ facts: { asks, note } }: { facts: OpeningFacts }) {
  const { t } = useT()
  if (!asks || note === null) return null
  return (
    <>
      {note.opened_at !== null && (
        <span className={styles.news}>
          {t('shares.opening.opened')} <TimeCell instant={note.opened_at} />
        </span>
      )}
      {note.previews > 0 && (
        <span className={styles.news}>{t('shares.opening.previews', { count: note.previews })}</span>
      )}
    </>
  )
}

/** Describes the opening of a share and its record in sentences. */
export function OpeningDetails({ facts: { asks, hasPin, note, isGone } }: { facts: OpeningFacts }) {
  const { t, language } = useT()
  const sentences = [
    t(asks ? (hasPin ? 'shares.opening.askPin' : 'shares.opening.ask') : 'shares.opening.direct'),
  ]
  if (asks && note !== null) {
    const { previews: count, previewed_by: name } = note
    if (note.opened_at !== null)
      sentences.push(t('shares.opening.openedOn', { date: formatDateTime(note.opened_at, language) }))
    if (count > 0) {
      sentences.push(
        name === null
          ? t('shares.opening.looked', { count })
          : t('shares.opening.lookedNamed', { count, name: showInvisible(name) }),
      )
    }
    if (note.wrong_pins > 0) sentences.push(t('shares.opening.wrongPins', { count: note.wrong_pins }))
  }
  if (isGone) sentences.push(t('shares.opening.gone'))
  return (
    <ul className={styles.sentences}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
