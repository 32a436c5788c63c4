import { useEffect, useRef } from 'react'
import { splitMatches } from '../../features/search/highlight.ts'
import { useT } from '../../lib/i18n/use-translation.ts'
import type { ShownGroup } from './arrange.ts'
import { type PaletteItem, titleOf } from './items.ts'
import styles from './palette.module.css'

export const optionId = (listId: string, id: string) => `${listId}-${encodeURIComponent(id)}`

interface PaletteListProps {
  listId: string
  groups: readonly ShownGroup[]
  query: string
  activeId: string | null
  onActive: (id: string) => void
  onChoose: (item: PaletteItem) => void
}

/** The list below the field: arrow keys and Enter reach it from there. */
export function PaletteList(props: PaletteListProps) {
  const { listId, groups } = props
  const { t } = useT()
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list of choices that shows more than text
    <div id={listId} className={styles.list} role="listbox" aria-label={t('palette.results')}>
      {groups.map(({ group, items }) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of a list box
        <div key={group} role="group" aria-labelledby={`${listId}-${group}`}>
          <div className={styles.group} id={`${listId}-${group}`}>
            {t(`palette.groups.${group}`)}
          </div>
          {items.map((item) => (
            <Line key={item.id} {...props} item={item} />
          ))}
        </div>
      ))}
    </div>
  )
}

function Line({
  listId,
  query,
  activeId,
  onActive,
  onChoose,
  item,
}: PaletteListProps & { item: PaletteItem }) {
  const line = useRef<HTMLDivElement>(null)
  const isActive = item.id === activeId
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const { Icon } = item
  return (
    // The keys are heard by the field, where the focus stays.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- as above
    <div
      ref={line}
      id={optionId(listId, item.id)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
      role="option"
      aria-selected={isActive}
      className={styles.line}
      data-active={isActive || undefined}
      onPointerMove={() => onActive(item.id)}
      onClick={() => onChoose(item)}
    >
      <Icon size={20} aria-hidden />
      <span className={styles.texts} data-found={item.act.kind === 'open' || undefined}>
        <bdi className={styles.title}>
          {splitMatches(titleOf(item), query).map(({ text, from, isMatch }) =>
            isMatch ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
          )}
        </bdi>
        {item.detail !== '' && <bdi className={styles.detail}>{item.detail}</bdi>}
      </span>
    </div>
  )
}
