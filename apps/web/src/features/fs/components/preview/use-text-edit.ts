import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
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
import { keptEditStore } from '../../api/kept-edits.ts'
import type { LoadedText } from '../../api/text-file.api.ts'
import { isThere, loadText, saveBeside, saveText } from '../../api/text-file.api.ts'
import { nameOfPath, parentOf } from '../../models/fs-paths.ts'
import { createEditKeeper, type KeptEdit, type KeptState } from '../../models/kept-edit.ts'
import { flushRemovals } from '../removals.ts'

interface TextEdit {
  path: string
  initial: LoadedText
  /** What an earlier editor of this file was left with. */
  kept: KeptEdit | null
  onEnd: () => void
}

/** What became of the file that others have changed; as the server said it, where it cannot be asked again. */
const conflictAt = (path: string) =>
  isThere(path).then(
    (isStill) => (isStill ? 'changed' : 'gone'),
    () => 'changed' as const,
  )

type Dirty = 'clean' | 'saved' | 'dirty'

/** Where this editor keeps what is unsaved. It is kept even without a session. */
function useKeeper(path: string, isKept: boolean) {
  const { t } = useT()
  const [state, setState] = useState<KeptState>(isKept ? 'kept' : 'none')
  const [keeper] = useState(() => createEditKeeper({ store: keptEditStore(path), isKept, onState: setState }))
  const [owner] = useState(draftOwner)
  useEffect(() => {
    const flush = () => void keeper.flush()
    window.addEventListener('pagehide', flush)
    // While the browser asks whether to leave, there is time to keep it.
    window.addEventListener('beforeunload', flush)
    const leave = async () => {
      const left = await keeper.flush()
      // Who has come instead need not know of it.
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
  }, [keeper, owner, path, t])
  return { keeper, hasRoom: state !== 'failed' }
}

export function useTextEdit({ path, initial, kept, onEnd }: TextEdit) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const { keeper, hasRoom } = useKeeper(path, kept !== null)
  const [document] = useState(() =>
    createTextDocument(kept?.text ?? initial.text, {
      keepForm: keepLineEndings,
      text: initial.text || (kept?.text ?? ''),
    }),
  )
  const [state, setState] = useState<Dirty>(kept ? 'dirty' : 'clean')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [conflict, setConflict] = useState<'changed' | 'gone' | null>(null)
  const etag = useRef((kept ?? initial).etag)
  /** Of what is stored now: saving changes it. */
  const [form, setForm] = useState(initial)
  const isDirty = state === 'dirty'
  const { leave, question } = useLeaving({
    hasChanges: () => isDirty,
    onDiscard: () => keeper.clear(),
    onLeave: onEnd,
  })

  useEffect(
    () =>
      document.subscribe((isOutside) => {
        if (isOutside) return
        setState('dirty')
        keeper.keep(() => ({ text: document.read(), etag: etag.current }))
      }),
    [document, keeper],
  )
  const noteStored = () => {
    forgetFile(queryClient, path)
    void invalidateListing(queryClient, parentOf(path))
  }
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
  /** @param over what is stored; `null` overwrites whatever is there. */
  const store = async (over: string | null) => {
    const text = document.read()
    etag.current = await saveText({ path, text, mark: form.mark, etag: over })
    setForm({ ...form, encoding: 'utf-8' })
    // What was typed while it was on its way is not saved yet.
    const isAll = document.read() === text
    setState(isAll ? 'saved' : 'dirty')
    if (isAll) keeper.clear()
    noteStored()
  }
  const takeTheirs = async () => {
    const theirs = await loadText(path)
    etag.current = theirs.etag
    setForm(theirs)
    document.replace(theirs.text)
    setState('clean')
    keeper.clear()
    noteStored()
  }
  const keepBoth = async () => {
    const name = await saveBeside({ path, text: document.read(), mark: form.mark })
    notify('success', t('explorer.edit.savedBeside', { name }))
    await takeTheirs()
  }
  const save = () => {
    if (isDirty && !isBusy) void attempt(() => store(etag.current))
  }
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isKey(event, keyMap.preview.save)) return
      event.preventDefault()
      latest.current()
    }
    window.document.addEventListener('keydown', onKey)
    return () => window.document.removeEventListener('keydown', onKey)
  }, [])
  return {
    document,
    isDirty,
    isSaved: state === 'saved',
    form,
    isBusy,
    error,
    save,
    leave,
    leaving: question,
    hasRoom,
    isRestored: kept !== null && state === 'dirty',
    conflict: conflict && {
      isGone: conflict === 'gone',
      onKeepBoth: () => void attempt(keepBoth),
      onMine: () => void attempt(() => store(null)),
      onTheirs: () => {
        if (conflict === 'changed') void attempt(takeTheirs)
        else {
          keeper.clear()
          onEnd()
        }
      },
      onClose: () => setConflict(null),
    },
  }
}
