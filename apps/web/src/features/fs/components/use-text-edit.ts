import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { hasCode } from '../../../lib/api-error.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { createTextDocument } from '../../../lib/text-document.ts'
import { forgetFile, invalidateListing } from '../api/fs.queries.ts'
import type { LoadedText } from '../api/text-file.api.ts'
import { loadText, saveBeside, saveText } from '../api/text-file.api.ts'
import { parentOf } from '../models/fs-paths.ts'
import { flushRemovals } from './removals.ts'

interface TextEdit {
  path: string
  initial: LoadedText
  onEnd: () => void
}

type Dirty = 'clean' | 'saved' | 'dirty'

/** Leaving asks while something is unsaved, inside the app and by closing the tab. */
function useLeaving(isDirty: boolean, onEnd: () => void) {
  const [isAsking, setAsking] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  })
  const isBlocked = blocker.status === 'blocked'
  const stay = () => {
    setAsking(false)
    blocker.reset?.()
  }
  const discard = () => {
    setAsking(false)
    if (isBlocked) blocker.proceed()
    else onEnd()
  }
  return {
    leave: () => (isDirty ? setAsking(true) : onEnd()),
    leaving: isAsking || isBlocked ? { stay, discard } : null,
  }
}

export function useTextEdit({ path, initial, onEnd }: TextEdit) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [document] = useState(() => createTextDocument(initial.text))
  const [state, setState] = useState<Dirty>('clean')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [isChanged, setChanged] = useState(false)
  const stored = useRef({ etag: initial.etag, lineEnd: initial.lineEnd })
  const isDirty = state === 'dirty'
  const { leave, leaving } = useLeaving(isDirty, onEnd)

  useEffect(
    () =>
      document.subscribe((isOutside) => {
        if (!isOutside) setState('dirty')
      }),
    [document],
  )
  const noteStored = () => {
    forgetFile(queryClient, path)
    void invalidateListing(queryClient, parentOf(path))
  }
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true)
    setError(null)
    setChanged(false)
    try {
      await flushRemovals()
      await work()
    } catch (failure) {
      if (hasCode(failure, 'fs.changed')) setChanged(true)
      else setError(failure)
    } finally {
      setBusy(false)
    }
  }
  /** @param etag `null` overwrites whatever is there. */
  const store = async (etag: string | null) => {
    const text = document.read()
    stored.current.etag = await saveText({ path, text, lineEnd: stored.current.lineEnd, etag })
    // What was typed while it was on its way is not saved yet.
    setState(document.read() === text ? 'saved' : 'dirty')
    noteStored()
  }
  const takeTheirs = async () => {
    const theirs = await loadText(path)
    stored.current = { etag: theirs.etag, lineEnd: theirs.lineEnd }
    document.replace(theirs.text)
    setState('clean')
    noteStored()
  }
  const keepBoth = async () => {
    const name = await saveBeside({ path, text: document.read(), lineEnd: stored.current.lineEnd })
    notify('success', t('explorer.edit.savedBeside', { name }))
    await takeTheirs()
  }
  const save = () => {
    if (isDirty && !isBusy) void attempt(() => store(stored.current.etag))
  }
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return
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
    isBusy,
    error,
    save,
    leave,
    leaving,
    conflict: isChanged
      ? {
          onKeepBoth: () => void attempt(keepBoth),
          onMine: () => void attempt(() => store(null)),
          onTheirs: () => void attempt(takeTheirs),
          onClose: () => setChanged(false),
        }
      : null,
  }
}
