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
import type { KeyboardEvent, Ref } from 'react'
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
  /** The open folder, which the narrower scopes use. */
  path: string
  /** Mount that contains `path`; `null` if the folder is above all mounts. */
  mountId: string | null
  onOpen: (result: SearchResult) => void
  onAddToBasket: (result: SearchResult) => void
  onClose: () => void
}

/** Index of the active result, moved by the arrow keys. The focus stays in the field. */
function useActive(count: number) {
  const [at, setAt] = useState(0)
  const active = Math.min(at, Math.max(0, count - 1))
  const move = (by: number) => setAt(Math.max(0, Math.min(count - 1, active + by)))
  return { active, move, setActive: setAt }
}

interface SearchPlace {
  path: string
  mountId: string | null
}

/** Searches for the text of the field, shortly after it changes. */
function useSearch({ path, mountId }: SearchPlace, onOpen: (result: SearchResult) => void) {
  const [text, setText] = useState('')
  const [scope, setScope] = useState<SearchScope>(mountId === null ? 'global' : 'directory')
  const [typed] = useDebouncedValue(text, DEBOUNCE_MS)
  const search = useInfiniteQuery(searchQueries.results({ text: typed, scope, path, mountId }))
  const pages = isSearchable(typed) ? (search.data?.pages ?? []) : []
  const results = pages.flatMap(({ data }) => data.results)
  const open = (result: SearchResult) => {
    void rememberSearch(typed)
    onOpen(result)
  }
  const isAnswered = typed === text && search.isSuccess
  const [awaited, setAwaited] = useState<string | null>(null)
  // If the user presses Enter before the response arrives, the first result of the new search opens. The results of the
  // previous search are ignored.
  const openFirst = useEffectEvent(() => {
    const [first] = results
    if (first) open(first)
  })
  useEffect(() => {
    if (isAnswered && awaited === text) openFirst()
  }, [isAnswered, awaited, text])
  return {
    text,
    setText,
    cancelAwaited: () => setAwaited(null),
    scope,
    setScope,
    typed,
    search,
    results,
    last: pages.at(-1)?.data,
    open,
    /** Opens the chosen result. While the response is pending, waits for it and then opens the first result. */
    openOrAwait: (chosen: SearchResult | undefined) => {
      if (!isAnswered) setAwaited(isSearchable(text) ? text : null)
      else if (chosen) open(chosen)
    },
  }
}

/** Finds files by name while the user types. */
export function SearchDialog({ path, mountId, onOpen, onAddToBasket, onClose }: SearchDialogProps) {
  const { t } = useT()
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const find = useSearch({ path, mountId }, onOpen)
  const { text, setText, typed, search, results, last } = find
  const { active, move, setActive } = useActive(results.length)
  const put = (next: string) => {
    setText(next)
    field.current?.focus()
  }
  return (
    <Dialog title={t('search.title')} isWide onClose={onClose}>
      <SearchField
        ref={field}
        listId={listId}
        activeId={results.length > 0 ? optionId(listId, active) : undefined}
        text={text}
        onText={(next) => {
          setText(next)
          setActive(0)
          find.cancelAwaited()
        }}
        onClear={() => put('')}
        onStep={move}
        onEnter={() => find.openOrAwait(results[active])}
      />
      {mountId !== null && <ScopeChoice scope={find.scope} onScope={find.setScope} />}
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
          onOpen={find.open}
          onAddToBasket={onAddToBasket}
        />
        {search.hasNextPage && last && (
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

interface SearchFieldProps {
  ref: Ref<HTMLInputElement>
  listId: string
  /** `undefined` while there are no results. */
  activeId: string | undefined
  text: string
  onText: (text: string) => void
  onClear: () => void
  onStep: (by: number) => void
  onEnter: () => void
}

function SearchField({ ref, listId, activeId, text, onText, onClear, onStep, onEnter }: SearchFieldProps) {
  const { t } = useT()
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key]
    if (step !== undefined) onStep(step)
    else if (event.key === 'Enter') onEnter()
    else return
    event.preventDefault()
  }
  return (
    <TextInput
      ref={ref}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a field with a list below it that shows more than text
      role="combobox"
      aria-label={t('search.field')}
      aria-expanded={activeId !== undefined}
      aria-controls={listId}
      aria-activedescendant={activeId}
      aria-autocomplete="list"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={SEARCH_MAX_CHARACTERS}
      size="md"
      placeholder={t('search.field')}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={text !== '' && <CloseButton aria-label={t('search.clear')} onClick={onClear} />}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

function ScopeChoice({ scope, onScope }: { scope: SearchScope; onScope: (scope: SearchScope) => void }) {
  const { t } = useT()
  return (
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
        onChange={onScope}
      />
    </div>
  )
}

interface StatusProps {
  text: string
  isPending: boolean
  found: { total: number; mounts: number; isComplete: boolean } | null
  onPick: (text: string) => void
}

/** Shows the state of the search in one line, as a live region. */
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
      {/* The live region is always rendered, because a region that is inserted with its text is not announced. */}
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
