import {
  SEARCH_MAX_CHARACTERS,
  SEARCH_MIN_CHARACTERS,
  type SearchResult,
  type SearchScope,
} from '@dropleaf/contract'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { KeyboardEvent } from 'react'
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SegmentedControl } from '../../../ui/buttons/segmented-control.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { isSearchable, searchQueries } from '../api/search.queries.ts'
import { clearHistory, historyQuery, rememberSearch } from '../search-history.ts'
import { optionId, SearchResults } from './search-results.tsx'
import styles from './search.module.css'

const DEBOUNCE_MS = 200

interface SearchDialogProps {
  /** The folder that is open, for the narrower scopes. */
  path: string
  /** Its mount; `null` on the levels above mounts. */
  mountId: string | null
  onOpen: (result: SearchResult) => void
  onAddToBasket: (result: SearchResult) => void
  onClose: () => void
}

/** The result that the arrow keys are at; the focus stays in the field. */
function useActive(count: number) {
  const [at, setAt] = useState(0)
  const active = Math.min(at, Math.max(0, count - 1))
  const move = (by: number) => setAt(Math.max(0, Math.min(count - 1, active + by)))
  return { active, move, setActive: setAt }
}

/** Finds files by name while one types. */
export function SearchDialog({ path, mountId, onOpen, onAddToBasket, onClose }: SearchDialogProps) {
  const { t } = useT()
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const put = (next: string) => {
    setText(next)
    field.current?.focus()
  }
  const [text, setText] = useState('')
  const [scope, setScope] = useState<SearchScope>(mountId === null ? 'global' : 'directory')
  const [typed] = useDebouncedValue(text, DEBOUNCE_MS)
  const search = useInfiniteQuery(searchQueries.results({ text: typed, scope, path, mountId }))
  const pages = isSearchable(typed) ? (search.data?.pages ?? []) : []
  const results = pages.flatMap(({ data }) => data.results)
  const { active, move, setActive } = useActive(results.length)
  const open = (result: SearchResult) => {
    void rememberSearch(typed)
    onOpen(result)
  }
  const isAnswered = typed === text && search.isSuccess
  const [awaited, setAwaited] = useState<string | null>(null)
  // Enter came before the answer: what is opened is what was asked for, not what was found before.
  const openFirst = useEffectEvent(() => {
    const [first] = results
    if (first) open(first)
  })
  useEffect(() => {
    if (isAnswered && awaited === text) openFirst()
  }, [isAnswered, awaited, text])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    const chosen = results[active]
    if (step !== undefined) move(step)
    else if (event.key !== 'Enter') return
    else if (!isAnswered) setAwaited(isSearchable(text) ? text : null)
    else if (chosen) open(chosen)
    event.preventDefault()
  }
  const last = pages.at(-1)?.data
  return (
    <Dialog title={t('search.title')} isWide onClose={onClose}>
      <TextInput
        ref={field}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a field with a list below it that shows more than text
        role="combobox"
        aria-label={t('search.field')}
        aria-expanded={results.length > 0}
        aria-controls={listId}
        aria-activedescendant={results.length > 0 ? optionId(listId, active) : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={SEARCH_MAX_CHARACTERS}
        size="md"
        placeholder={t('search.field')}
        leftSection={<IconSearch size={18} aria-hidden />}
        rightSection={text !== '' && <CloseButton aria-label={t('search.clear')} onClick={() => put('')} />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(0)
          setAwaited(null)
        }}
        onKeyDown={onKeyDown}
      />
      {mountId !== null && (
        <div className={styles.scopes}>
          <SegmentedControl<SearchScope>
            isWide
            label={t('search.scope')}
            value={scope}
            options={[
              { value: 'directory', label: t('search.scopes.directory') },
              { value: 'mount', label: t('search.scopes.mount') },
              { value: 'global', label: t('search.scopes.global') },
            ]}
            onChange={setScope}
          />
        </div>
      )}
      <div className={styles.body}>
        <Status
          text={text}
          isPending={isSearchable(text) && (search.isPending || typed !== text)}
          found={last ? { total: last.total, mounts: last.mountsSearched, isComplete: last.complete } : null}
          onPick={put}
        />
        {search.isError && <FailedBanner error={search.error} onRetry={() => void search.refetch()} />}
        <SearchResults
          listId={listId}
          results={results}
          query={typed}
          active={active}
          onActive={setActive}
          onOpen={open}
          onAddToBasket={onAddToBasket}
        />
        {search.hasNextPage && pages.length > 0 && (
          <Button
            variant="default"
            loading={search.isFetchingNextPage}
            onClick={() => void search.fetchNextPage()}
          >
            {t('search.more')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface StatusProps {
  text: string
  isPending: boolean
  found: { total: number; mounts: number; isComplete: boolean } | null
  onPick: (text: string) => void
}

/** What the search does or found, in one line that is read out. */
function Status({ text, isPending, found, onPick }: StatusProps) {
  const { t, language } = useT()
  const isEmpty = text.trim() === ''
  const isTooShort = !isEmpty && !isSearchable(text)
  const answer = isEmpty || isTooShort || isPending ? null : found
  const said = () => {
    if (isTooShort) return t('search.tooShort', { count: SEARCH_MIN_CHARACTERS })
    if (answer === null) return null
    if (answer.total === 0) return t('search.nothing')
    const number = formatNumber(answer.total, language)
    return [
      t('search.found', { number, count: answer.total }),
      t('search.searched', { number: formatNumber(answer.mounts, language), count: answer.mounts }),
    ].join(t('common.separator'))
  }
  return (
    <>
      {/* Always there: one that comes with its words is not spoken. */}
      <output className={styles.hint}>{said()}</output>
      {isEmpty && <History onPick={onPick} />}
      {!isEmpty && !isTooShort && isPending && <SkeletonLines label={t('search.running')} />}
      {answer && !answer.isComplete && <Banner tone="info">{t('search.incomplete')}</Banner>}
    </>
  )
}

function History({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const { data: entries = [] } = useQuery(historyQuery())
  const clear = async () => {
    await clearHistory()
    await queryClient.invalidateQueries(historyQuery())
  }
  if (entries.length === 0) return <p className={styles.hint}>{t('search.start')}</p>
  return (
    <section aria-label={t('search.history')}>
      <div className={styles.historyHead}>
        <span>{t('search.history')}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void clear()}>
          {t('search.clearHistory')}
        </Button>
      </div>
      <ul className={styles.history}>
        {entries.map((entry) => (
          <li key={entry}>
            <Button size="compact-md" variant="default" onClick={() => onPick(entry)}>
              {entry}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
