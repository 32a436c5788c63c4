import { Button } from '@mantine/core'
import type { RefObject } from 'react'
import { useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { continueWith, matchFiles, reopenFile } from '../uploads/continue-upload.ts'
import { uploadErrorText } from '../uploads/upload-error-text.ts'
import type { UploadEntry } from '../uploads/upload-store.ts'
import { statusOf } from '../uploads/upload-status.ts'
import styles from './rows.module.css'

/** Asks the user to choose the file again. This is necessary after a reload. */
export function NeedsFile({ entry }: { entry: UploadEntry }) {
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<unknown>(null)
  if (statusOf(entry) !== 'needsFile') return null
  const { name } = entry.file
  // If the bytes differ, only the upload itself detects this. It then sets `entry.error`.
  const reason = problem ?? entry.error
  const reopen = async () => {
    setProblem(null)
    try {
      if (!(await reopenFile(entry))) field.current?.click()
    } catch (error) {
      setProblem(error)
    }
  }
  return (
    <div className={styles.need}>
      <p>{t('tasks.needsFileHint', { name })}</p>
      {reason !== null && (
        <div className={styles.facts} data-tone="danger" role="alert">
          {uploadErrorText(reason)}
        </div>
      )}
      <Button
        size="compact-md"
        variant="light"
        aria-label={entry.handle ? t('tasks.continueFile', { name }) : t('tasks.chooseFileFor', { name })}
        onClick={() => void reopen()}
      >
        {t('tasks.chooseFile')}
      </Button>
      <HiddenField
        field={field}
        onFiles={([file]) => {
          if (!file) return
          try {
            continueWith(entry, file)
            setProblem(null)
          } catch (error) {
            setProblem(error)
          }
        }}
      />
    </div>
  )
}

interface HiddenFieldProps {
  field: RefObject<HTMLInputElement | null>
  isMultiple?: boolean
  onFiles: (files: readonly File[]) => void
}

export function HiddenField({ field, isMultiple = false, onFiles }: HiddenFieldProps) {
  return (
    <input
      ref={field}
      type="file"
      hidden
      multiple={isMultiple}
      onChange={(event) => {
        const files = [...(event.currentTarget.files ?? [])]
        event.currentTarget.value = ''
        onFiles(files)
      }}
    />
  )
}

const NAMES_MAX = 5

/**
 * Like {@link NeedsFile}, for several files. Reopens files that have stored handles. Asks once for all remaining
 * files.
 */
export function NeedsFiles({ entries }: { entries: readonly UploadEntry[] }) {
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  const [others, setOthers] = useState<readonly string[]>([])
  if (entries.length === 0) return null
  const wrong = [...others, ...entries.filter(({ error }) => error !== null).map(({ name }) => name)]
  const reopenAll = async () => {
    let isMissing = false
    for (const entry of entries) {
      const isOpen = await reopenFile(entry).catch(() => false)
      isMissing ||= !isOpen
    }
    if (isMissing) field.current?.click()
  }
  return (
    <div className={styles.need}>
      <p>{t('tasks.needsFilesHint', { count: entries.length })}</p>
      {wrong.length > 0 && (
        <div className={styles.facts} data-tone="danger" role="alert">
          {t('tasks.otherFiles', { names: wrong.slice(0, NAMES_MAX).join(t('common.separator')) })}
        </div>
      )}
      <Button size="compact-md" variant="light" onClick={() => void reopenAll()}>
        {t('tasks.chooseFiles')}
      </Button>
      <HiddenField
        field={field}
        isMultiple
        onFiles={(files) => {
          const match = matchFiles(entries, files)
          for (const { entry, file } of match.found) continueWith(entry, file)
          setOthers(match.others.map(({ name }) => name))
        }}
      />
    </div>
  )
}
