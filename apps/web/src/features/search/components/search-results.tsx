import type { SearchResult } from '@dropleaf/contract'
import { IconBasketPlus, IconCopy } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { formatBytes, formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { splitMatches } from '../highlight.ts'
import styles from './search.module.css'

export const optionId = (listId: string, index: number) => `${listId}-${index}`

interface SearchResultsProps {
  listId: string
  results: readonly SearchResult[]
  query: string
  active: number
  onActive: (index: number) => void
  onOpen: (result: SearchResult) => void
  onAddToBasket: (result: SearchResult) => void
}

/** The list below the search field. The field handles arrow keys and Enter. */
export function SearchResults(props: SearchResultsProps) {
  const { t } = useT()
  const chosen = props.results[props.active]
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list of options with more than text */}
      <div className={styles.results} id={props.listId} role="listbox" aria-label={t('search.results')}>
        {props.results.map((result, index) => (
          <Row key={result.path} {...props} result={result} index={index} />
        ))}
      </div>
      {chosen && <Tools result={chosen} onAddToBasket={props.onAddToBasket} />}
    </>
  )
}

function Row({
  listId,
  result,
  index,
  query,
  active,
  onActive,
  onOpen,
}: SearchResultsProps & { result: SearchResult; index: number }) {
  const { language } = useT()
  const row = useRef<HTMLDivElement>(null)
  const isActive = index === active
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  const kind = findFileKind({ mimetype: result.contentType, filename: result.name })
  const folder = result.path.slice(0, result.path.lastIndexOf('/')) || '/'
  return (
    // The search field handles the keys, because it keeps the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- as above
    <div
      ref={row}
      id={optionId(listId, index)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
      role="option"
      aria-selected={isActive}
      className={styles.result}
      data-active={isActive || undefined}
      onPointerMove={() => onActive(index)}
      onClick={() => onOpen(result)}
    >
      <FileIcon kind={kind} />
      <span className={styles.texts}>
        <span className={styles.name}>
          {splitMatches(result.name, query).map(({ text, from, isMatch }) =>
            isMatch ? <mark key={from}>{text}</mark> : <span key={from}>{text}</span>,
          )}
        </span>
        <span className={styles.meta}>
          <span className={styles.path} title={folder}>
            <bdi>{folder}</bdi>
          </span>
          <span>{formatBytes(result.size, language)}</span>
          <span>{formatRelative(result.modified, language, { style: 'short' })}</span>
        </span>
      </span>
    </div>
  )
}

/** Further actions of the active result. */
function Tools({
  result,
  onAddToBasket,
}: Pick<SearchResultsProps, 'onAddToBasket'> & { result: SearchResult }) {
  const { t } = useT()
  const { copy } = useCopy()
  return (
    <div className={styles.tools}>
      <span className={styles.chosen} title={result.path}>
        <bdi>{result.path}</bdi>
      </span>
      <ToolButton
        label={t('search.copyPath', { name: result.name })}
        icon={<IconCopy size={18} aria-hidden />}
        onClick={() => void copy(result.path, t('search.pathCopied'))}
      />
      <ToolButton
        label={t('search.toBasket', { name: result.name })}
        icon={<IconBasketPlus size={18} aria-hidden />}
        onClick={() => onAddToBasket(result)}
      />
    </div>
  )
}
