import { Button } from '@mantine/core'
import {
  IconChevronDown,
  IconChevronUp,
  IconLayoutSidebar,
  IconSearch,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import { useState } from 'react'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import type { PdfControls, PdfState } from './pdf-viewer.ts'
import styles from './pdf.module.css'

const STEP = 1.25
const LEAST = 0.2
const MOST = 6

interface PdfBarProps {
  state: PdfState
  pages: number
  controls: PdfControls | null
  thumbnails: { readonly isOpen: boolean; readonly toggle: () => void }
}

export function PdfBar({ state, pages, controls, thumbnails }: PdfBarProps) {
  const { t, language } = useT()
  const [isSearchOpen, setSearchOpen] = useState(false)
  const percent = formatPercent(state.scale, language)
  const zoom = (factor: number) =>
    controls?.zoom(Math.min(MOST, Math.max(LEAST, Number((state.scale * factor).toFixed(2)))))
  const toggleSearch = () => {
    if (isSearchOpen) controls?.clearFind()
    setSearchOpen(!isSearchOpen)
  }
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('viewer.pdf.tools')}>
      <ToolButton
        label={t('viewer.pdf.thumbnails')}
        icon={<IconLayoutSidebar size={20} aria-hidden />}
        isExpanded={thumbnails.isOpen}
        onClick={thumbnails.toggle}
      />
      <PageField page={state.page} pages={pages} onGo={(page) => controls?.goTo(page)} />
      <span className={styles.gap} />
      <ToolButton
        label={t('preview.zoom.smaller')}
        icon={<IconZoomOut size={20} aria-hidden />}
        onClick={() => zoom(1 / STEP)}
      />
      <Button
        className={styles.scale}
        variant="subtle"
        color="gray"
        size="compact-md"
        title={t('viewer.pdf.width')}
        onClick={() => controls?.zoom('page-width')}
      >
        {percent} <span className="dl-sr">{t('viewer.pdf.width')}</span>
      </Button>
      <ToolButton
        label={t('preview.zoom.larger')}
        icon={<IconZoomIn size={20} aria-hidden />}
        onClick={() => zoom(STEP)}
      />
      <ToolButton
        label={t('viewer.pdf.search')}
        icon={<IconSearch size={20} aria-hidden />}
        isExpanded={isSearchOpen}
        onClick={toggleSearch}
      />
      {isSearchOpen && <SearchRow state={state} controls={controls} onClose={toggleSearch} />}
    </div>
  )
}

interface PageFieldProps {
  page: number
  pages: number
  onGo: (page: number) => void
}

function PageField({ page, pages, onGo }: PageFieldProps) {
  const { t, language } = useT()
  // Page number that the user has typed and not yet confirmed with Enter. While this is `null`, the field shows the
  // current page.
  const [draft, setDraft] = useState<string | null>(null)
  const go = () => {
    if (draft === null) return
    setDraft(null)
    const typed = Number(draft)
    if (Number.isInteger(typed) && typed >= 1 && typed !== page) onGo(typed)
  }
  return (
    <form
      className={styles.page}
      onSubmit={(event) => {
        event.preventDefault()
        go()
      }}
    >
      <input
        className={styles.pageField}
        inputMode="numeric"
        aria-label={t('viewer.pdf.page')}
        value={draft ?? String(page)}
        onChange={({ currentTarget }) => setDraft(currentTarget.value)}
        onBlur={go}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <span>/ {formatNumber(pages, language)}</span>
    </form>
  )
}

interface SearchRowProps {
  state: PdfState
  controls: PdfControls | null
  onClose: () => void
}

function SearchRow({ state, controls, onClose }: SearchRowProps) {
  const { t, language } = useT()
  const [text, setText] = useState('')
  const { matches } = state
  const count =
    matches === null || text === ''
      ? ''
      : matches.total === 0
        ? t(state.isSearching ? 'viewer.pdf.searching' : 'viewer.pdf.noMatch')
        : t('viewer.pdf.matches', {
            number: formatNumber(matches.current, language),
            count: formatNumber(matches.total, language),
          })
  return (
    <form
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault()
        controls?.find(text, 'next')
      }}
    >
      <input
        className={styles.searchField}
        ref={focusOnMount}
        aria-label={t('viewer.pdf.search')}
        placeholder={t('viewer.pdf.search')}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          if (currentTarget.value === '') controls?.clearFind()
          else controls?.find(currentTarget.value, 'first')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onClose()
        }}
      />
      <span className={styles.count} aria-live="polite">
        {count}
      </span>
      <ToolButton
        label={t('viewer.pdf.previousMatch')}
        icon={<IconChevronUp size={20} aria-hidden />}
        onClick={() => controls?.find(text, 'previous')}
      />
      <ToolButton
        label={t('viewer.pdf.nextMatch')}
        icon={<IconChevronDown size={20} aria-hidden />}
        onClick={() => controls?.find(text, 'next')}
      />
    </form>
  )
}
