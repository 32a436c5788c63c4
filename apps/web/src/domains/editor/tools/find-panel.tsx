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

/** The search of the editor, with a panel that somebody else fills. */
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

/** How often the words are there, counted once nothing has changed for a moment. */
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

export function FindPanel({ view }: { view: EditorView }) {
  const { t } = useT()
  const [query, setQuery] = useState(() => getSearchQuery(view.state))
  const field = useRef<HTMLInputElement>(null)
  const matches = useMatches(view, query)
  useEffect(() => field.current?.select(), [])
  const change = (part: Partial<Pick<SearchQuery, 'search' | 'replace' | Option>>) => {
    const { search: words, replace, caseSensitive, wholeWord, regexp } = query
    // What is typed is meant as it stands: a backslash is no line break.
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
  const close = () => {
    closeSearchPanel(view)
    view.focus()
  }
  const isWrong = query.search !== '' && !query.valid
  const found = isWrong
    ? t('editor.find.wrong')
    : matches === null
      ? ''
      : matches.count === 0
        ? t('editor.find.none')
        : t(matches.isMore ? 'editor.find.countMore' : 'editor.find.count', {
            count: matches.count,
          })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  const onEnter = (run: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    run(event)
  }
  const option = (name: Option, sign: string, label: string) => (
    <button
      type="button"
      className={styles.option}
      aria-pressed={query[name]}
      aria-label={label}
      title={label}
      onClick={() => change({ [name]: !query[name] })}
    >
      {sign}
    </button>
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Esc is for everything in it
    <search className={styles.panel} aria-label={t('editor.find.label')} onKeyDown={onKeyDown}>
      <div className={styles.row}>
        <input
          ref={field}
          main-field="true"
          className={styles.field}
          aria-label={t('editor.find.words')}
          aria-invalid={isWrong}
          placeholder={t('editor.find.words')}
          value={query.search}
          onChange={(event) => change({ search: event.currentTarget.value })}
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
        <output className={styles.found} data-wrong={isWrong || undefined}>
          {found}
        </output>
        <IconTool label={t('editor.find.close')} onClick={close}>
          <IconX size={18} aria-hidden />
        </IconTool>
      </div>
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
