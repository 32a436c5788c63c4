import type { CSSProperties } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { RelativeFiles } from '../../../../domains/markdown/render/relative-links.ts'
import type { OutlineEntry } from '../../../../domains/markdown/render/render.ts'
import { Prose } from '../../../../domains/markdown/prose/prose.tsx'
import { GuardedProse } from '../../../../domains/preview/text/guarded-prose.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { TextLines } from '../../../../ui/text-lines/text-lines.tsx'
import { LinesBar } from './lines-bar.tsx'
import { PasteOutline } from './paste-outline.tsx'
import { SideDivider } from '../editor/side-divider.tsx'
import type { Reading } from './use-reading.ts'

interface PasteBodyProps {
  content: string
  reading: Reading
  outline: readonly OutlineEntry[]
  /** Files that relative URLs in the text refer to. */
  beside?: RelativeFiles | null
  /** Whether content from other sites is loaded only on request. */
  isGuarded?: boolean
}

/** The text in its current format. */
export function PasteBody({ content, reading, outline, beside = null, isGuarded = false }: PasteBodyProps) {
  const { t } = useT()
  if (reading.format === 'plain') {
    const { marked } = reading
    return (
      <>
        <TextLines
          key={content}
          text={content}
          label={t('textView.text')}
          isWrapped={reading.isWrapped}
          marked={marked}
          onMark={reading.pressLine}
        />
        {marked && <LinesBar text={content} marked={marked} onClear={() => reading.markLines(null)} />}
      </>
    )
  }
  const Text = isGuarded ? GuardedProse : Prose
  const isOpen = reading.isOutlineOpen && outline.length > 0
  const width = { '--dl-outline': `${reading.outlinePx}px` } as CSSProperties
  return (
    <div className="dl-paste-panes" data-open={isOpen || undefined} style={width}>
      {isOpen && (
        <aside className="dl-paste-side">
          <PasteOutline outline={outline} />
        </aside>
      )}
      {isOpen && <SideDivider widthPx={reading.outlinePx} onWidth={reading.setOutlinePx} />}
      <div>
        <Text markdown={content} fallback={<SkeletonLines label={t('common.loading')} />} beside={beside} />
      </div>
    </div>
  )
}
