import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search'
import type { Extension } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './find-panel.module.css'

/** The editor's search extension, with a panel that React renders. */
export const findExtension = (onPanel: (dom: HTMLElement | null) => void): Extension =>
  search({
    top: true,
    createPanel: () => {
      const dom = document.createElement('div')
      return { dom, top: true, mount: () => onPanel(dom), destroy: () => onPanel(null) }
    },
  })

const COUNTED_MATCHES = 999
const COUNT_DELAY_MS = 200

interface Matches {
  readonly count: number
  readonly isMore: boolean
}

function countMatches(view: EditorView, query: SearchQuery): Matches {
  if (!query.valid) return { count: 0, isMore: false }
  const cursor = query.getCursor(view.state)
  let count = 0
  while (!cursor.next().done) {
    if (count === COUNTED_MATCHES) return { count, isMore: true }
    count += 1
  }
  return { count, isMore: false }
}

/** Counts the matches shortly after the last change. */
function useMatches(view: EditorView, query: SearchQuery): Matches | null {
  const [matches, setMatches] = useState<Matches | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = () => setMatches(query.search === '' ? null : countMatches(view, query))
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(count, COUNT_DELAY_MS)
    }
    later()
    view.dom.addEventListener('keyup', later)
    view.dom.addEventListener('click', later)
    return () => {
      clearTimeout(timer)
      view.dom.removeEventListener('keyup', later)
      view.dom.removeEventListener('click', later)
    }
  }, [view, query])
  return matches
}

type Option = 'caseSensitive' | 'wholeWord' | 'regexp'

type QueryChange = Partial<Pick<SearchQuery, 'search' | 'replace' | Option>>

/** Returns the query of the editor's search and a function that changes the query. */
function useSearchQuery(view: EditorView) {
  const [query, setQuery] = useState(() => getSearchQuery(view.state))
  const change = (part: QueryChange) => {
    const { search: words, replace, caseSensitive, wholeWord, regexp } = query
    // `literal` treats a typed backslash as a backslash, not as an escape.
    const next = new SearchQuery({
      search: words,
      replace,
      caseSensitive,
      wholeWord,
      regexp,
      literal: true,
      ...part,
    })
    setQuery(next)
    view.dispatch({ effects: setSearchQuery.of(next) })
  }
  return { query, change }
}

const onEnter = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return
  event.preventDefault()
  run(event)
}

export function FindPanel({ view }: { view: EditorView }) {
  const { t } = useT()
  const { query, change } = useSearchQuery(view)
  const close = () => {
    closeSearchPanel(view)
    view.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- handles Esc for all controls of the panel
    <search className={styles.panel} aria-label={t('editor.find.label')} onKeyDown={onKeyDown}>
      <FindRow view={view} query={query} onChange={change} onClose={close} />
      <div className={styles.row}>
        <input
          className={styles.field}
          aria-label={t('editor.find.replacement')}
          placeholder={t('editor.find.replacement')}
          value={query.replace}
          onChange={(event) => change({ replace: event.currentTarget.value })}
          onKeyDown={onEnter(() => replaceNext(view))}
        />
        <button type="button" className={styles.button} onClick={() => replaceNext(view)}>
          {t('editor.find.replace')}
        </button>
        <button type="button" className={styles.button} onClick={() => replaceAll(view)}>
          {t('editor.find.replaceAll')}
        </button>
      </div>
    </search>
  )
}

interface FindRowProps {
  view: EditorView
  query: SearchQuery
  onChange: (part: QueryChange) => void
  onClose: () => void
}

function FindRow({ view, query, onChange, onClose }: FindRowProps) {
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const matches = useMatches(view, query)
  const isWrong = query.search !== '' && !query.valid
  const option = (name: Option, sign: string, label: string) => (
    <button
      type="button"
      className={styles.option}
      aria-pressed={query[name]}
      aria-label={label}
      title={label}
      onClick={() => onChange({ [name]: !query[name] })}
    >
      {sign}
    </button>
  )
  return (
    <div className={styles.row}>
      <input
        ref={field}
        main-field="true"
        className={styles.field}
        aria-label={t('editor.find.words')}
        aria-invalid={isWrong}
        placeholder={t('editor.find.words')}
        value={query.search}
        onChange={(event) => onChange({ search: event.currentTarget.value })}
        onKeyDown={onEnter((event) => (event.shiftKey ? findPrevious(view) : findNext(view)))}
      />
      <span className={styles.options}>
        {option('caseSensitive', 'Aa', t('editor.find.case'))}
        {option('wholeWord', '[ ]', t('editor.find.whole'))}
        {option('regexp', '.*', t('editor.find.regexp'))}
      </span>
      <IconTool label={t('editor.find.previous')} onClick={() => findPrevious(view)}>
        <IconArrowUp size={18} aria-hidden />
      </IconTool>
      <IconTool label={t('editor.find.next')} onClick={() => findNext(view)}>
        <IconArrowDown size={18} aria-hidden />
      </IconTool>
      <MatchCount matches={matches} isWrong={isWrong} />
      <IconTool label={t('editor.find.close')} onClick={onClose}>
        <IconX size={18} aria-hidden />
      </IconTool>
    </div>
  )
}

function MatchCount({ matches, isWrong }: { matches: Matches | null; isWrong: boolean }) {
  const { t } = useT()
  const text = () => {
    if (isWrong) return t('editor.find.wrong')
    if (matches === null) return ''
    const { count, isMore } = matches
    if (count === 0) return t('editor.find.none')
    return t(isMore ? 'editor.find.countMore' : 'editor.find.count', { count })
  }
  return (
    <output className={styles.found} data-wrong={isWrong || undefined}>
      {text()}
    </output>
  )
}

function IconTool(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}
