import { useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import type { TextDocument } from '../document/text-document.ts'
import { useSettledText } from '../document/use-document-text.ts'
import { headingsOf, type SourceHeading } from './headings.ts'
import styles from './outline-panel.module.css'

interface OutlinePanelProps {
  document: TextDocument
  /** Reports the top visible line or the line of the caret. Returns a function that stops the reports. */
  followLine: (listener: (line: number) => void) => () => void
  onJump: (heading: SourceHeading, index: number) => void
}

const DELAY_MS = 300

/** Lists the headings and highlights the current one. */
export function OutlinePanel({ document, followLine, onJump }: OutlinePanelProps) {
  const { t } = useT()
  const text = useSettledText(document, DELAY_MS)
  const headings = headingsOf(text)
  const [line, setLine] = useState(1)
  useEffect(() => followLine(setLine), [followLine])
  const current = headings.findLastIndex((heading) => heading.line <= line)
  const top = Math.min(...headings.map(({ level }) => level))
  return (
    <nav className={styles.outline} aria-label={t('editor.outline')}>
      <h2 className={styles.title}>{t('editor.outline')}</h2>
      {headings.length === 0 && <p className={styles.empty}>{t('editor.noHeadings')}</p>}
      <ol className={styles.list}>
        {headings.map((heading, index) => (
          <li key={heading.line}>
            <button
              type="button"
              className={styles.heading}
              style={{ paddingInlineStart: 8 + (heading.level - top) * 14 }}
              aria-current={index === current || undefined}
              title={heading.text}
              onClick={() => onJump(heading, index)}
            >
              {heading.text || '—'}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}
