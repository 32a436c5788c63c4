import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { isSessionError } from '../../../../domains/session/session-notices.ts'
import { FormDialog } from '../../../../domains/session/components/form-dialog.tsx'
import { useFieldError } from '../../../../ui/forms/use-field-error.tsx'
import { makeFolder, renameEntry } from '../../api/fs.api.ts'
import { invalidateListing, knownNames } from '../../api/fs.queries.ts'
import type { Entry } from '../../models/entries.ts'
import { findNameFault, stemLength } from '../../models/fs-paths.ts'
import { flushRemovals, usePendingRemovals } from '../removals.ts'

interface NameFormProps {
  title: string
  label: string
  submit: string
  initial: string
  /** Length of the part of the name that is selected initially, so that typing replaces it. */
  selectedLength: number
  taken: ReadonlySet<string>
  onClose: () => void
  onSubmit: (name: string) => Promise<void>
}

/** Asks for a name, with validation. */
function NameForm(props: NameFormProps) {
  const { t } = useT()
  const [name, setName] = useState(props.initial)
  const [isBusy, setBusy] = useState(false)
  const { field, said, refuse, clear } = useFieldError()
  const { selectedLength } = props
  // Selects the name after the dialog has opened, because opening moves the focus.
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(0, selectedLength)
  }, [field, selectedLength])
  // Removes white space at both ends, which is invisible.
  const given = name.trim()
  const isTrimmed = given !== name && given !== '' && name !== props.initial
  const submit = async () => {
    if (given !== '') {
      if (name === props.initial || given === props.initial) return props.onClose()
      setName(given)
    }
    const fault = findNameFault(given, props.taken)
    if (fault) return refuse(t(`explorer.nameFault.${fault}`))
    clear()
    setBusy(true)
    try {
      await props.onSubmit(given)
      props.onClose()
    } catch (failure) {
      // The login dialog already shows a session error.
      if (!isSessionError(failure)) refuse(errorText(failure))
      setBusy(false)
    }
    return undefined
  }
  return (
    <FormDialog
      title={props.title}
      submitLabel={props.submit}
      isBusy={isBusy}
      isChanged={name !== props.initial}
      failure={null}
      onSubmit={() => void submit()}
      onClose={props.onClose}
    >
      <TextInput
        ref={field}
        label={props.label}
        {...(isTrimmed && { description: t('explorer.nameTrimmed', { name: given }) })}
        value={name}
        autoComplete="off"
        spellCheck={false}
        {...said}
        onChange={(event) => {
          setName(event.currentTarget.value)
          clear()
        }}
      />
    </FormDialog>
  )
}

interface NewFolderProps {
  folder: string
  onClose: () => void
  onDone: (path: string) => void
}

export function NewFolderDialog({ folder, onClose, onDone }: NewFolderProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const removed = usePendingRemovals()
  const create = async (name: string) => {
    await flushRemovals()
    await makeFolder(`${folder}${name}/`)
    await invalidateListing(queryClient, folder)
    onDone(`${folder}${name}/`)
  }
  return (
    <NameForm
      title={t('explorer.newFolder.title')}
      label={t('explorer.newFolder.name')}
      submit={t('explorer.newFolder.submit')}
      initial=""
      selectedLength={0}
      taken={knownNames(queryClient, folder, removed)}
      onClose={onClose}
      onSubmit={create}
    />
  )
}

export function RenameDialog({ folder, entry, onClose, onDone }: NewFolderProps & { entry: Entry }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const removed = usePendingRemovals()
  const rename = async (name: string) => {
    await flushRemovals()
    try {
      await renameEntry(entry, name)
    } catch (failure) {
      // The entry no longer exists; refreshes the list.
      if (hasCode(failure, 'fs.not_found')) void invalidateListing(queryClient, folder)
      throw failure
    }
    await invalidateListing(queryClient, folder)
    onDone(`${folder}${name}${entry.isFolder ? '/' : ''}`)
  }
  return (
    <NameForm
      title={t(entry.isFolder ? 'explorer.rename.folder' : 'explorer.rename.file')}
      label={t('explorer.rename.name')}
      submit={t('explorer.rename.submit')}
      initial={entry.name}
      selectedLength={stemLength(entry.name, entry)}
      taken={knownNames(queryClient, folder, removed)}
      onClose={onClose}
      onSubmit={rename}
    />
  )
}
