import { Button, Input } from '@mantine/core'
import { IconFolderPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { isSessionError } from '../../../../domains/session/session-notices.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import { SelectField } from '../../../../ui/forms/select-field.tsx'
import { useFieldError } from '../../../../ui/forms/use-field-error.tsx'
import type { Conflict, TransferMode } from '../../api/fs.api.ts'
import { makeFolder } from '../../api/fs.api.ts'
import { invalidateFolders, invalidateListing } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { findNameFault, isWithin, nameOfPath, parentOf } from '../../models/fs-paths.ts'
import { DialogButtons } from './dialog-buttons.tsx'
import styles from './dialogs.module.css'
import { useFolderScreen } from '../explorer-context.ts'
import { FolderTree } from '../folder-tree.tsx'

interface TransferDialogProps {
  mode: TransferMode
  entries: readonly Entry[]
  /** The folder that contains the entries. */
  folder: string
  onClose: () => void
  onConfirm: (target: string, conflict: Conflict) => void
}

const CONFLICTS: readonly Conflict[] = ['rename', 'skip', 'overwrite']

type Refusal = 'top' | 'same' | 'inside'

/** Returns why entries cannot go to a folder, or `null`. A copy into the same folder is allowed. */
function findRefusal(mode: TransferMode, entries: readonly Entry[], target: string): Refusal | null {
  if (target === '/') return 'top'
  if (entries.some(({ path, isFolder }) => isFolder && isWithin(target, path))) return 'inside'
  if (mode === 'move' && entries.every(({ path }) => parentOf(path) === target)) return 'same'
  return null
}

/** Asks for the target folder, and for how to handle existing names. */
export function TransferDialog({ mode, entries, folder, onClose, onConfirm }: TransferDialogProps) {
  const { t } = useT()
  const { base } = useFolderScreen()
  const [target, setTarget] = useState(folder)
  const [conflict, setConflict] = useState<Conflict>('rename')
  const refusal = findRefusal(mode, entries, target)
  const [first] = entries
  return (
    <Dialog title={t(`explorer.${mode}.title`)} onClose={onClose}>
      <div className={styles.fields}>
        <p className={styles.text}>
          {entries.length === 1 && first ? first.name : t('explorer.items', { count: entries.length })}
        </p>
        <FolderTree key={base} base={base} target={target} onChoose={setTarget} />
        <NewFolderHere target={target} onMade={setTarget} />
        <SelectField
          label={t('explorer.conflict.label')}
          value={conflict}
          options={CONFLICTS.map((value) => ({ value, label: t(`explorer.conflict.${value}`) }))}
          onChange={setConflict}
        />
        {refusal && (
          <output className={refusal === 'same' && target === folder ? styles.text : styles.warning}>
            {t(`explorer.refusal.${refusal}`)}
          </output>
        )}
      </div>
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button
          disabled={refusal !== null}
          onClick={() => {
            onClose()
            onConfirm(target, conflict)
          }}
        >
          {t(`explorer.${mode}.submit`)}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

/** Creates a folder in the target folder, and chooses the new folder as target. */
function NewFolderHere({ target, onMade }: { target: string; onMade: (path: string) => void }) {
  const { t } = useT()
  const id = useId()
  const queryClient = useQueryClient()
  const [name, setName] = useState<string | null>(null)
  const { field, said, refuse, clear } = useFieldError()
  const [isBusy, setBusy] = useState(false)
  if (target === '/') return null
  if (name === null) {
    return (
      <Button
        className={styles.newFolderHere ?? ''}
        variant="subtle"
        color="gray"
        justify="flex-start"
        leftSection={<IconFolderPlus size={18} aria-hidden />}
        onClick={() => setName('')}
      >
        {t('explorer.newFolder.here', { name: nameOfPath(target) })}
      </Button>
    )
  }
  const create = async () => {
    if (isBusy) return undefined
    const given = name.trim()
    if (given !== '') setName(given)
    const fault = findNameFault(given, new Set())
    if (fault) return refuse(t(`explorer.nameFault.${fault}`))
    clear()
    setBusy(true)
    try {
      await makeFolder(`${target}${given}/`)
      await Promise.all([invalidateFolders(queryClient, target), invalidateListing(queryClient, target)])
      onMade(`${target}${given}/`)
      setName(null)
    } catch (failure) {
      // The login dialog already shows a session error.
      if (!isSessionError(failure)) refuse(errorText(failure))
    } finally {
      setBusy(false)
    }
    return undefined
  }
  return (
    <Input.Wrapper
      id={id}
      label={t('explorer.newFolder.name')}
      {...said}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...(name.trim() !== name &&
        name.trim() !== '' && { description: t('explorer.nameTrimmed', { name: name.trim() }) })}
    >
      <div className={styles.newFolder}>
        <Input
          id={id}
          // The user has just asked for this field.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={name}
          ref={field}
          error={said.error !== null}
          autoComplete="off"
          onChange={(event) => {
            setName(event.currentTarget.value)
            clear()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void create()
          }}
        />
        <Button variant="default" loading={isBusy} onClick={() => void create()}>
          {t('explorer.newFolder.submit')}
        </Button>
      </div>
    </Input.Wrapper>
  )
}
