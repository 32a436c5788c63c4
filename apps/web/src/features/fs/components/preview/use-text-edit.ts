import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { isKey } from '../../../../lib/keyboard/keys.ts'
import { keepLineEndings } from '../../../../domains/editor/document/line-endings.ts'
import { notify } from '../../../../lib/notices.ts'
import { noticeLeft } from '../../../../domains/session/session-notices.ts'
import { draftOwner } from '../../../../domains/session/session-owner.ts'
import { createTextDocument } from '../../../../domains/editor/document/text-document.ts'
import { useLeaving } from '../../../../ui/dialogs/use-leaving.ts'
import { forgetFile, invalidateListing } from '../../api/fs.queries.ts'
import { unsavedEditStore } from '../../api/unsaved-edits.ts'
import type { LoadedText } from '../../api/text-file.api.ts'
import { isThere, loadText, saveBeside, saveText } from '../../api/text-file.api.ts'
import { nameOfPath, parentOf } from '../../models/fs-paths.ts'
import {
  createEditSaver,
  type EditSaver,
  type UnsavedEdit,
  type SavedState,
} from '../../models/unsaved-edit.ts'
import { flushRemovals } from '../removals.ts'

interface TextEdit {
  path: string
  initial: LoadedText
  /** Unsaved changes from an earlier editor of this file. */
  kept: UnsavedEdit | null
  onEnd: () => void
}

/** Whether the file was changed or deleted. Without a response, assumes that it was changed. */
const conflictAt = (path: string) =>
  isThere(path).then(
    (isStill) => (isStill ? 'changed' : 'gone'),
    () => 'changed' as const,
  )

type Dirty = 'clean' | 'saved' | 'dirty'

/** Stores unsaved changes in the browser, even without a session. */
function useEditSaver(path: string, isStored: boolean) {
  const { t } = useT()
  const [state, setState] = useState<SavedState>(isStored ? 'kept' : 'none')
  const [saver] = useState(() =>
    createEditSaver({ store: unsavedEditStore(path), isStored, onState: setState }),
  )
  const [owner] = useState(draftOwner)
  useEffect(() => {
    const flush = () => void saver.flush()
    window.addEventListener('pagehide', flush)
    // The prompt that the browser shows before unloading gives the app time to store the changes.
    window.addEventListener('beforeunload', flush)
    const leave = async () => {
      const left = await saver.flush()
      // The notice contains the file name, which another user must not see.
      if (draftOwner() !== owner) return
      const name = nameOfPath(path)
      if (left === 'kept') noticeLeft(t('explorer.edit.kept', { name }))
      if (left === 'failed') noticeLeft(t('explorer.edit.lost', { name }))
    }
    return () => {
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('beforeunload', flush)
      void leave()
    }
  }, [saver, owner, path, t])
  return { saver, hasRoom: state !== 'failed' }
}

/** Runs a save or reload, and stores its error. */
function useAttempt(path: string) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<'changed' | 'gone' | null>(null)
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    setConflict(null)
    try {
      await flushRemovals()
      await work()
    } catch (failure) {
      if (hasCode(failure, 'fs.changed')) setConflict(await conflictAt(path))
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, conflict, attempt, closeConflict: () => setConflict(null) }
}

interface TextFile extends Omit<TextEdit, 'onEnd'> {
  saver: EditSaver
}

/** The document of a file, with functions that save and reload it. */
function useTextFile({ path, initial, kept, saver }: TextFile) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [document] = useState(() =>
    createTextDocument(kept?.text ?? initial.text, {
      keepForm: keepLineEndings,
      text: initial.text || (kept?.text ?? ''),
    }),
  )
  const [state, setState] = useState<Dirty>(kept ? 'dirty' : 'clean')
  const etag = useRef((kept ?? initial).etag)
  /** Format of the stored file, such as the encoding. Saving changes the format, because saved text is UTF-8. */
  const [form, setForm] = useState(initial)
  useEffect(
    () =>
      document.subscribe((isOutside) => {
        if (isOutside) return
        setState('dirty')
        saver.keep(() => ({ text: document.read(), etag: etag.current }))
      }),
    [document, saver],
  )
  const invalidate = () => {
    forgetFile(queryClient, path)
    void invalidateListing(queryClient, parentOf(path))
  }
  const saveOver = async (expectedEtag: string | null) => {
    const text = document.read()
    etag.current = await saveText({ path, text, mark: form.mark, etag: expectedEtag })
    setForm({ ...form, encoding: 'utf-8' })
    // Text that the user has typed during the request is not saved yet.
    const isAll = document.read() === text
    setState(isAll ? 'saved' : 'dirty')
    if (isAll) saver.clear()
    invalidate()
  }
  const takeTheirs = async () => {
    const theirs = await loadText(path)
    etag.current = theirs.etag
    setForm(theirs)
    document.replace(theirs.text)
    setState('clean')
    saver.clear()
    invalidate()
  }
  const keepBoth = async () => {
    const name = await saveBeside({ path, text: document.read(), mark: form.mark })
    notify('success', t('explorer.edit.savedBeside', { name }))
    await takeTheirs()
  }
  return {
    document,
    state,
    form,
    save: () => saveOver(etag.current),
    overwrite: () => saveOver(null),
    takeTheirs,
    keepBoth,
  }
}

function useSaveKey(save: () => void) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isKey(event, keyMap.preview.save)) return
    event.preventDefault()
    save()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** State of an edited text file: unsaved changes, saving, and conflicts with other changes of the file. */
export function useTextEdit({ path, initial, kept, onEnd }: TextEdit) {
  const { saver, hasRoom } = useEditSaver(path, kept !== null)
  const file = useTextFile({ path, initial, kept, saver })
  const { isBusy, error, conflict, attempt, closeConflict } = useAttempt(path)
  const isDirty = file.state === 'dirty'
  const { leave, question } = useLeaving({
    hasChanges: () => isDirty,
    onDiscard: () => saver.clear(),
    onLeave: onEnd,
  })
  const save = () => {
    if (isDirty && !isBusy) void attempt(file.save)
  }
  useSaveKey(save)
  return {
    document: file.document,
    isDirty,
    isSaved: file.state === 'saved',
    form: file.form,
    isBusy,
    error,
    save,
    leave,
    leaving: question,
    hasRoom,
    isRestored: kept !== null && isDirty,
    conflict: conflict && {
      isGone: conflict === 'gone',
      onKeepBoth: () => void attempt(file.keepBoth),
      onMine: () => void attempt(file.overwrite),
      onTheirs: () => {
        if (conflict === 'changed') void attempt(file.takeTheirs)
        else {
          saver.clear()
          onEnd()
        }
      },
      onClose: closeConflict,
    },
  }
}
