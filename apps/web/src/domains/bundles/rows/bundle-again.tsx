import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import rows from '../../transfers/rows/rows.module.css'
import { type PickedFile, pickFromInput } from '../../transfers/uploads/picked-files.ts'
import { findBundle } from '../bundle-drafts.ts'
import { type BundleSnapshot, needsFile } from '../bundle-snapshot.ts'
import styles from './bundle-row.module.css'

const NAMES_MAX = 5

type AskingHandle = FileSystemFileHandle & {
  requestPermission?: (options: { mode: 'read' }) => Promise<PermissionState>
}

/** Opens files with stored handles. Skips files that were moved, and files to which the user denies access. */
async function reopen(handles: readonly AskingHandle[]): Promise<PickedFile[]> {
  const files: PickedFile[] = []
  for (const handle of handles) {
    try {
      const answer = (await handle.requestPermission?.({ mode: 'read' })) ?? 'granted'
      if (answer === 'granted') files.push({ file: await handle.getFile(), folder: '', handle })
    } catch {
      // The file was moved or deleted. The user can still choose it.
    }
  }
  return files
}

/** Asks the user to choose the missing files of a bundle again. This is necessary after a reload. */
export function BundleAgain({ bundle }: { bundle: BundleSnapshot }) {
  const { t } = useT()
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [others, setOthers] = useState<readonly string[]>([])
  const missing = bundle.items.filter(needsFile)
  // An upload rejects a chosen file with different contents.
  const refused = missing.filter(({ entry }) => entry?.error).map(({ file }) => file.name)
  const wrong = [...others, ...refused]
  const draft = findBundle(bundle.key)
  const hasHandles = (draft?.handles().length ?? 0) > 0
  useEffect(() => {
    if (folder.current) folder.current.webkitdirectory = true
  })
  if (missing.length === 0) return null
  const provide = (chosen: readonly PickedFile[]) =>
    setOthers((draft?.provide(chosen) ?? []).map(({ file }) => file.name))
  const fieldOf = (ref: typeof files) => (
    <input
      ref={ref}
      type="file"
      hidden
      multiple
      onChange={(event) => {
        const chosen = pickFromInput(event.currentTarget.files ?? new DataTransfer().files)
        event.currentTarget.value = ''
        provide(chosen)
      }}
    />
  )
  return (
    <div className={rows.need}>
      <p>{t('bundling.row.needsFiles', { count: missing.length })}</p>
      {wrong.length > 0 && (
        <div className={rows.facts} data-tone="danger" role="alert">
          {t('tasks.otherFiles', { names: wrong.slice(0, NAMES_MAX).join(t('common.separator')) })}
        </div>
      )}
      <div className={styles.actions}>
        {hasHandles && (
          <Button
            size="compact-md"
            variant="light"
            onClick={() => void reopen(draft?.handles() ?? []).then(provide)}
          >
            {t('bundling.row.reopen')}
          </Button>
        )}
        <Button
          size="compact-md"
          variant={hasHandles ? 'default' : 'light'}
          onClick={() => files.current?.click()}
        >
          {t('bundling.row.chooseFiles')}
        </Button>
        {missing.some(({ path }) => path.includes('/')) && (
          <Button size="compact-md" variant="default" onClick={() => folder.current?.click()}>
            {t('bundling.row.chooseFolder')}
          </Button>
        )}
      </div>
      {fieldOf(files)}
      {fieldOf(folder)}
    </div>
  )
}
