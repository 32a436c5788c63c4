import { useEffect, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { TextDocument } from '../document/text-document.ts'
import { useSettledText } from '../document/use-document-text.ts'
import type { EditorTarget } from '../editor-target.ts'
import { countText, type TextCounts } from './text-counts.ts'
import styles from './editor-tools.module.css'

const DELAY_MS = 400
const SLICE_MS = 6

/**
 * Hides a previous count of zero while a new count runs, so that a long text never shows "0". Other counts stay
 * visible.
 */
const exceptNone = (counts: TextCounts | null) => (counts?.characters === 0 ? null : counts)

/** Counts in slices, so that the page stays responsive. */
function useCounts(text: string): TextCounts | null {
  const [counts, setCounts] = useState<TextCounts | null>(null)
  useEffect(() => {
    const counting = countText(text)
    let timer: ReturnType<typeof setTimeout> | undefined
    const work = () => {
      const untilMs = performance.now() + SLICE_MS
      let step = counting.next()
      while (!step.done && performance.now() < untilMs) step = counting.next()
      if (step.done) setCounts(step.value)
      else {
        setCounts(exceptNone)
        timer = setTimeout(work, 0)
      }
    }
    timer = setTimeout(work, 0)
    return () => clearTimeout(timer)
  }, [text])
  return counts
}

function useSelected(target: EditorTarget): string {
  const [selected, setSelected] = useState('')
  useEffect(() => target.subscribe(() => setSelected(target.selectedText())), [target])
  return selected
}

/** Shows the number of words and characters in the text and in the selection. */
export function TextFacts({ document, target }: { document: TextDocument; target: EditorTarget }) {
  const { t, language } = useT()
  const counts = useCounts(useSettledText(document, DELAY_MS))
  const selected = useSelected(target)
  const chosen = useCounts(selected)
  if (!counts) return <div className={styles.facts} />
  const inWords = ({ words, characters }: TextCounts) => ({
    words: formatNumber(words, language),
    characters: formatNumber(characters, language),
  })
  return (
    <div className={styles.facts}>
      <span>{t('editor.counts', inWords(counts))}</span>
      {selected !== '' && chosen && <span>{t('editor.selected', inWords(chosen))}</span>}
    </div>
  )
}
