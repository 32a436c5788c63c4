import type { ReadablePaste } from '@dropleaf/contract'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { PlainText, Prose } from '../../../ui/prose.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useTextFacts } from '../../../ui/use-text-facts.ts'
import './paste-article.css'
import type { TranslateFact } from './paste-facts.ts'
import { firstFormat, pasteFacts } from './paste-facts.ts'

export type PasteFormat = 'markdown' | 'plain'

interface PasteArticleProps {
  paste: ReadablePaste
  renderTools: (format: PasteFormat, setFormat: (format: PasteFormat) => void) => ReactNode
}

/** The text is the page. `early-paste.ts` draws the same markup before the app is there. */
export function PasteArticle({ paste, renderTools }: PasteArticleProps) {
  const { t, language } = useT()
  const [format, setFormat] = useState<PasteFormat>(() => firstFormat(paste))
  const [nowMs] = useState(() => Date.now())
  const heading = useTextFacts(format === 'markdown' ? paste.content : '')?.title
  usePageTitle(heading ?? paste.remark ?? t('shell.titles.paste'))
  const facts = pasteFacts(paste, { translate: t as TranslateFact, language, nowMs })
  return (
    <article className="dl-paste">
      <header className="dl-paste-head">
        {paste.remark && <h1 className="dl-paste-title">{paste.remark}</h1>}
        <ul className="dl-paste-facts">
          {facts.map((fact) => (
            <li key={fact.key} data-urgent={fact.isUrgent || undefined}>
              {fact.text}
            </li>
          ))}
        </ul>
        <div className="dl-paste-tools">{renderTools(format, setFormat)}</div>
      </header>
      {format === 'markdown' ? (
        <Prose markdown={paste.content} fallback={<SkeletonLines label={t('common.loading')} />} />
      ) : (
        <PlainText text={paste.content} />
      )}
    </article>
  )
}
