import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { ZoomPicture } from '../../../../ui/zoom-picture/zoom-picture.tsx'
import { SandboxedPage } from '../../../../ui/layout/sandboxed-page.tsx'
import { ToolButton } from '../../../../ui/buttons/tool-button.tsx'
import type { ProseView } from './enhance.ts'
import styles from './prose-dialog.module.css'
import { type ReadingWords, fill, loadReadingWords } from './words.ts'

interface ProseDialogProps {
  view: ProseView
  onClose: () => void
}

/** Shows an image of the text, or the rendered result of an HTML block, above the page. */
export function ProseDialog({ view, onClose }: ProseDialogProps) {
  const { language } = useT()
  const [words, setWords] = useState<ReadingWords | null>(null)
  useEffect(() => {
    loadReadingWords(language).then(setWords, reportError)
  }, [language])
  if (!words) return null
  if (view.kind === 'pictures') return <Pictures view={view} words={words} onClose={onClose} />
  return (
    <Dialog title={words.page} onClose={onClose} isFull>
      <SandboxedPage className={styles.page ?? ''} html={view.html} title={words.page} />
      <p className={styles.note}>{words.pageNote}</p>
    </Dialog>
  )
}

interface PicturesProps {
  view: Extract<ProseView, { kind: 'pictures' }>
  words: ReadingWords
  onClose: () => void
}

function Pictures({ view: { pictures, index: first }, words, onClose }: PicturesProps) {
  const [index, setIndex] = useState(first)
  const [hasFailed, setFailed] = useState(false)
  const total = pictures.length
  const picture = pictures[index]
  const go = (step: number) => {
    setFailed(false)
    setIndex((index + step + total) % total)
  }
  if (!picture) return null
  return (
    <Dialog title={picture.name || words.picture} onClose={onClose} isFull>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the buttons below do the same */}
      <div
        className={styles.pictures}
        onKeyDown={(event) => {
          if (total === 1 || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return
          event.preventDefault()
          go(event.key === 'ArrowLeft' ? -1 : 1)
        }}
      >
        {hasFailed ? (
          <p className={styles.note}>{words.pictureFailed}</p>
        ) : (
          <ZoomPicture
            key={picture.url}
            url={picture.url}
            name={picture.name}
            onFailed={() => setFailed(true)}
          />
        )}
        {total > 1 && (
          <div className={styles.bar}>
            <ToolButton
              label={words.previous}
              icon={<IconChevronLeft size={20} aria-hidden />}
              onClick={() => go(-1)}
            />
            <span aria-live="polite">{fill(words.pictureOf, { number: index + 1, total })}</span>
            <ToolButton
              label={words.next}
              icon={<IconChevronRight size={20} aria-hidden />}
              onClick={() => go(1)}
            />
          </div>
        )}
      </div>
    </Dialog>
  )
}
