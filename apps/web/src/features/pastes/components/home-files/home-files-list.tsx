import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import type { EditorTarget } from '../../../../domains/editor/editor-target.ts'
import { rowStatusOf } from '../../../../domains/transfers/rows/row-status.ts'
import rows from '../../../../domains/transfers/rows/rows.module.css'
import { ShareRow } from '../../../../domains/transfers/rows/share-row.tsx'
import { TooLargeRow } from '../../../../domains/transfers/rows/too-large-row.tsx'
import { forgetRefusedFiles, useRefusedFiles } from '../../../../domains/transfers/uploads/refused-files.ts'
import { sharedFileOf } from '../../../../domains/transfers/uploads/share-file.ts'
import type { UploadEntry } from '../../../../domains/transfers/uploads/upload-store.ts'
import { uploads, useUploads } from '../../../../domains/transfers/uploads/uploads.ts'
import { useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import styles from './home-files.module.css'

interface HomeFilesListProps {
  /** `null` until the tools of the editor are there. */
  target: EditorTarget | null
  isMarkdown: boolean
  onRetry: (entry: UploadEntry) => void
}

/** Files that were dropped or pasted here, each with its link. The text changes only if the user inserts one. */
export function HomeFilesList({ target, isMarkdown, onRetry }: HomeFilesListProps) {
  const { t } = useT()
  const section = useRef<HTMLElement>(null)
  useKeptFocus(section)
  const entries = useUploads().filter(({ batch }) => batch.page === 'home')
  const refused = useRefusedFiles()
  const count = entries.length + refused.length
  useEffect(() => {
    // In braces: newer browsers return a promise, which is not a clean-up function.
    if (count > 0) section.current?.scrollIntoView({ block: 'nearest' })
  }, [count])
  if (count === 0) return null
  const ended = entries.filter((entry) => ['success', 'error'].includes(rowStatusOf(entry)))
  const doneCount = ended.filter(({ state }) => state === 'completed').length
  const clear = () => {
    uploads.forget(ended.map(({ key }) => key))
    forgetRefusedFiles(refused.map(({ id }) => id))
  }
  return (
    <section ref={section} className={styles.files} aria-label={t('files.here.title')} tabIndex={-1}>
      <output className="dl-sr">
        {ended.length === entries.length && doneCount > 0 && t('files.upload.allDone', { count: doneCount })}
      </output>
      <div className={rows.listHead}>
        <span>{t('files.upload.count', { count })}</span>
        {ended.length + refused.length > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={clear}>
            {t('files.upload.clear')}
          </Button>
        )}
      </div>
      <ul className={rows.list}>
        {entries.map((entry) => (
          <ShareRow
            key={entry.key}
            entry={entry}
            onRetry={() => onRetry(entry)}
            linkTools={target && <InsertButton entry={entry} target={target} isMarkdown={isMarkdown} />}
          />
        ))}
        {refused.map(({ id, ...facts }) => (
          <TooLargeRow key={id} id={id} {...facts} onRemove={() => forgetRefusedFiles([id])} />
        ))}
      </ul>
    </section>
  )
}

interface InsertButtonProps {
  entry: UploadEntry
  target: EditorTarget
  isMarkdown: boolean
}

/** Inserts a picture or a link at the caret. */
function InsertButton({ entry: { name, result }, target, isMarkdown }: InsertButtonProps) {
  const { t } = useT()
  const slug = result?.slug
  if (!slug) return null
  const insert = () => {
    const { address, isImage } = sharedFileOf({ name, slug })
    target.run(
      isMarkdown
        ? { type: isImage ? 'image' : 'link', address, text: name }
        : { type: 'insert', text: address },
    )
    target.focus()
  }
  return (
    <Button
      size="compact-sm"
      variant="subtle"
      aria-label={t('files.here.insertOne', { name })}
      onClick={insert}
    >
      {t('files.here.insert')}
    </Button>
  )
}
