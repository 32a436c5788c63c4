import type { ReadablePaste } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { loadedMarkdown } from '../../../lib/markdown/load.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Banner } from '../../../ui/message.tsx'
import { PlainText, Prose } from '../../../ui/prose.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import './paste-article.css'
import type { TranslateFact } from './paste-facts.ts'
import { firstFormat, isLongMarkdown, pasteFacts } from './paste-facts.ts'

export type PasteFormat = 'markdown' | 'plain'

/** First heading of a Markdown share, otherwise its remark. */
function findTitle(paste: ReadablePaste, format: PasteFormat): string | null {
  const heading = format === 'markdown' ? loadedMarkdown()?.(paste.content).title : null
  return heading ?? paste.remark
}

interface PasteArticleProps {
  paste: ReadablePaste
  renderTools: (format: PasteFormat, setFormat: (format: PasteFormat) => void) => ReactNode
}

/** The text is the page. `early-paste.ts` draws the same markup before the app is there. */
export function PasteArticle({ paste, renderTools }: PasteArticleProps) {
  const { t, language } = useT()
  const [format, setFormat] = useState<PasteFormat>(() => firstFormat(paste))
  const [nowMs] = useState(() => Date.now())
  usePageTitle(findTitle(paste, format) ?? t('shell.titles.paste'))
  const facts = pasteFacts(paste, { translate: t as TranslateFact, language, nowMs })
  const isCut = format === 'plain' && isLongMarkdown(paste)
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
      {isCut && (
        <div className="dl-paste-note">
          <Banner
            tone="info"
            actions={
              <Button size="compact-sm" variant="default" onClick={() => setFormat('markdown')}>
                {t('paste.renderAnyway')}
              </Button>
            }
          >
            {t('paste.tooLong')}
          </Banner>
        </div>
      )}
      {format === 'markdown' ? (
        <Prose markdown={paste.content} fallback={<SkeletonLines label={t('common.loading')} />} />
      ) : (
        <PlainText text={paste.content} />
      )}
    </article>
  )
}
