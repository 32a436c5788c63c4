import type { ReadablePaste } from '@dropleaf/contract'
import type { ReactNode } from 'react'
import { useDeferredValue, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { OutlineEntry } from '../../../../domains/markdown/render/render.ts'
import { usePageTitle } from '../../../../lib/browser/page-title.ts'
import { focusOnMount } from '../../../../ui/focus/focus.ts'
import { useTextFacts } from '../../../../domains/markdown/prose/use-text-facts.ts'
import './paste-article.css'
import type { TranslateFact } from './paste-facts.ts'
import { PasteBody } from './paste-body.tsx'
import { pasteFacts } from './paste-facts.ts'
import { type Reading, useReading } from './use-reading.ts'

const NO_OUTLINE: readonly OutlineEntry[] = []

interface PasteArticleProps {
  paste: ReadablePaste
  /** Whether the article takes the focus; true if the article replaces a form that had the focus. */
  hasFocus: boolean
  /** A notice about the text. */
  mark: ReactNode
  renderTools: (reading: Reading, hasOutline: boolean) => ReactNode
}

/** The article of a share. `early-article.ts` renders the same markup before the app is loaded. */
export function PasteArticle({ paste, hasFocus, mark, renderTools }: PasteArticleProps) {
  const { t, language } = useT()
  const reading = useReading(paste)
  const isMarkdown = reading.format === 'markdown'
  const [nowMs] = useState(() => Date.now())
  const facts = useTextFacts(isMarkdown ? paste.content : '')
  const outline = (isMarkdown && facts?.outline) || NO_OUTLINE
  // The tools are deferred until the text is rendered, because rendering both at once would block the page.
  const showsTools = useDeferredValue(true, false)
  const title = paste.remark ?? facts?.title ?? t('shell.titles.paste')
  usePageTitle(title)
  const hasOwnHeading = isMarkdown && (facts === null || facts.title !== null)
  const lines = pasteFacts(paste, { translate: t as TranslateFact, language, nowMs })
  return (
    <article
      ref={hasFocus ? focusOnMount : undefined}
      tabIndex={-1}
      className="dl-paste"
      data-outline={(reading.isOutlineOpen && outline.length > 0) || undefined}
      aria-label={title}
    >
      <header className="dl-paste-head">
        {paste.remark && (
          <h1 className="dl-paste-title" dir="auto">
            {paste.remark}
          </h1>
        )}
        {!paste.remark && !hasOwnHeading && <h1 className="dl-sr">{title}</h1>}
        {mark}
        <ul className="dl-paste-facts">
          {lines.map((fact) => (
            <li key={fact.key} data-urgent={fact.isUrgent || undefined}>
              {fact.text}
            </li>
          ))}
        </ul>
        <div className="dl-paste-tools">{showsTools && renderTools(reading, outline.length > 0)}</div>
      </header>
      <PasteBody content={paste.content} reading={reading} outline={outline} />
    </article>
  )
}
