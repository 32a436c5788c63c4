import { Button, CloseButton } from '@mantine/core'
import { useT } from '../../../../i18n/use-translation.ts'
import { useCopy } from '../../../../ui/buttons/copy-button.tsx'
import { type LineRange, textOfLines } from '../../../../ui/text-lines/line-range.ts'
import styles from './lines-bar.module.css'

interface LinesBarProps {
  text: string
  marked: LineRange
  onClear: () => void
}

/** Actions for the selected lines. */
export function LinesBar({ text, marked, onClear }: LinesBarProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const { first, last } = marked
  return (
    <section className={styles.bar} aria-label={t('textView.marked')}>
      <span className={styles.lines}>
        {first === last ? t('textView.line', { first }) : t('textView.lines', { first, last })}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void copy(window.location.href, t('paste.linkCopied'))}
      >
        {t('paste.copyLink')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => void copy(textOfLines(text, marked), t('paste.textCopied'))}
      >
        {t('textView.copyLines')}
      </Button>
      <CloseButton aria-label={t('textView.unmark')} title={t('textView.unmark')} onClick={onClear} />
    </section>
  )
}
