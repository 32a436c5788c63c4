import { memo, type SyntheticEvent, useEffect, useRef } from 'react'
import { splitMatches } from '../../features/search/highlight.ts'
import { useT } from '../../i18n/use-translation.ts'
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

/** The list below the field, which handles arrow keys and Enter. */
export function PaletteList({ listId, groups, query, activeId, onActive, onChoose }: PaletteListProps) {
  const { t } = useT()
  /** Finds the item of an event. The whole list has only one listener, so that items have stable props. */
  const itemAt = ({ target }: SyntheticEvent) => {
    const line = (target as Element).closest('[role=option]')
    return groups.flatMap(({ items }) => items).find(({ id }) => optionId(listId, id) === line?.id)
  }
  return (
    // The search field handles the keys, because it keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- as above
    <div
      id={listId}
      className={styles.list}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list of choices that shows more than text
      role="listbox"
      aria-label={t('palette.results')}
      onPointerMove={(event) => {
        const item = itemAt(event)
        if (item && item.id !== activeId) onActive(item.id)
      }}
      onClick={(event) => {
        const item = itemAt(event)
        if (item) onChoose(item)
      }}
    >
      {groups.map(({ group, items }) => (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of a list box
        <div key={group} role="group" aria-labelledby={`${listId}-group-${group}`}>
          <div className={styles.group} id={`${listId}-group-${group}`}>
            {t(`palette.groups.${group}`)}
          </div>
          {items.map((item) => (
            <Line
              key={item.id}
              lineId={optionId(listId, item.id)}
              Icon={item.Icon}
              title={titleOf(item)}
              detail={item.detail}
              isFound={item.act.kind === 'open'}
              query={query}
              isActive={item.id === activeId}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

interface LineProps {
  lineId: string
  Icon: PaletteItem['Icon']
  title: string
  detail: string
  isFound: boolean
  query: string
  isActive: boolean
}

/** This component is memoised, so that a key press renders two items instead of all items. */
const Line = memo(function Line({ lineId, Icon, title, detail, isFound, query, isActive }: LineProps) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) line.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={line}
      id={lineId}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a choice that shows more than text
      role="option"
      aria-selected={isActive}
      className={styles.line}
      data-active={isActive || undefined}
    >
      <Icon size={20} aria-hidden />
      <span className={styles.texts} data-found={isFound || undefined}>
        <bdi className={styles.title}>
          {splitMatches(title, query).map(({ text, from, isMatch }) =>
            isMatch ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
          )}
        </bdi>
        {detail !== '' && <bdi className={styles.detail}>{detail}</bdi>}
      </span>
    </div>
  )
})
