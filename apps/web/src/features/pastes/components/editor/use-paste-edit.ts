import type { PasteDetail } from '@dropleaf/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasCode, isQueued } from '../../../../lib/api-error.ts'
import { changedDetail } from '../../../../domains/offline/queue/edited-text.ts'
import { keepLineEndings } from '../../../../domains/editor/document/line-endings.ts'
import { createTabDraft } from '../../../../domains/editor/drafts/tab-draft.ts'
import { createTextDocument } from '../../../../domains/editor/document/text-document.ts'
import { readOwnPaste, updatePaste } from '../../api/pastes.queries.ts'
import type { EditDraft, EditFields } from './edit-model.ts'
import {
  areFieldsValid,
  fieldsOf,
  isChanged,
  isEditDraft,
  updateBody,
  withoutPassword,
} from './edit-model.ts'

const draftOf = (id: string) => createTabDraft<EditDraft>({ name: `paste_draft_${id}`, isValid: isEditDraft })

export const draftsOf = ({ id, slug, remark }: PasteDetail) => ({
  place: `paste:${id}`,
  title: remark || slug,
})

async function keepText(detail: PasteDetail, { text, fields }: Pick<EditDraft, 'text' | 'fields'>) {
  if (text === detail.content) return false
  const { saveDraft } = await import('../../../../domains/editor/drafts/saved-drafts.ts')
  return saveDraft({ ...draftsOf(detail), text, isMarkdown: fields.contentType === 'text/markdown' })
}

/** `isWaiting`: the server has not got it yet. */
type SaveResult = { readonly detail: PasteDetail; readonly isWaiting: boolean } | null

/**
 * State of one edit: begins with the draft when there is one, also one of an older version. It can be discarded with one
 * press, while a text that was dropped would be lost.
 */
export function usePasteEdit(detail: PasteDetail, continues: number | null) {
  const [draft] = useState(() => draftOf(detail.id))
  const [restored] = useState(() => draft.read())
  const [fields, setFields] = useState<EditFields>(() => restored?.fields ?? fieldsOf(detail))
  const [document] = useState(() =>
    createTextDocument(restored?.text ?? detail.content, { keepForm: keepLineEndings, text: detail.content }),
  )
  const [isRestored, setRestored] = useState(restored !== null)
  // The version that is being changed: a draft may be of an older one.
  const [baseVersion, setBaseVersion] = useState(restored?.updatedAt ?? detail.updated_at)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)

  useEffect(() => {
    const save = () => {
      draft.save(() => {
        const text = document.read()
        const isKept = isChanged(detail, fields, text)
        return isKept ? { text, fields: withoutPassword(fields), updatedAt: baseVersion } : null
      })
    }
    save()
    const unsubscribe = document.subscribe(save)
    window.addEventListener('pagehide', draft.flush)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', draft.flush)
      draft.flush()
    }
  }, [detail, document, draft, fields, baseVersion])

  // Drafts of closed tabs: the latest is continued, the others go into the list of drafts.
  const adopt = useEffectEvent((found: EditDraft) => {
    if (isChanged(detail, fields, document.read())) return false
    setFields(found.fields)
    setBaseVersion(found.updatedAt)
    setRestored(true)
    document.replace(found.text)
    draft.save(() => found)
    draft.flush()
    return true
  })
  useEffect(() => {
    if (draft.read()) return undefined
    let isGone = false
    const look = async () => {
      const [latest, ...older] = await draft.findOrphans()
      if (isGone || !latest || !adopt(latest.value)) return
      latest.remove()
      for (const { value, remove } of older) if (await keepText(detail, value)) remove()
    }
    look().catch(reportError)
    return () => {
      isGone = true
    }
  }, [draft, detail])

  /** Keeps the text in the list of drafts, if it is another one. */
  const keep = (): Promise<boolean> => keepText(detail, { text: document.read(), fields })
  const discard = () => {
    void keep()
    setFields(fieldsOf(detail))
    document.replace(detail.content)
    setRestored(false)
    setBaseVersion(detail.updated_at)
    setError(null)
    draft.clear()
  }
  type Body = ReturnType<typeof updateBody>
  const updateFrom = (body: Body, expectedUpdatedAt: string | undefined) =>
    updatePaste(
      detail.id,
      { ...body, ...(expectedUpdatedAt !== undefined && { expectedUpdatedAt }) },
      {
        isProtected: Boolean(detail.has_password) && !body.clearPassword,
        slug: detail.slug,
        continues,
      },
    )
  /** What waited when the form was opened may have been sent since: then that is the version that is being changed. */
  const update = async (body: Body, expectedUpdatedAt: string | undefined) => {
    try {
      return await updateFrom(body, expectedUpdatedAt)
    } catch (failure) {
      if (continues === null || !hasCode(failure, 'paste.changed')) throw failure
      const there = await readOwnPaste(detail.id)
      if (there.content !== detail.content) throw failure
      return await updateFrom(body, there.updated_at)
    }
  }
  /**
   * The share as it is after the save, or will be when online again; `null` if the save failed, and the typed text
   * stays.
   * @param isForced also over a version that somebody else has saved since.
   */
  const save = async ({ isForced = false } = {}): Promise<SaveResult> => {
    setBusy(true)
    setError(null)
    const body = updateBody(detail, fields, document.read())
    try {
      const { slug } = await update(body, isForced ? undefined : baseVersion)
      draft.clear()
      return { detail: await readOwnPaste(slug), isWaiting: false }
    } catch (failure) {
      if (isQueued(failure)) {
        draft.clear()
        const wished = changedDetail(detail, body, body.password !== null)
        // It is found under its new suffix when the server knows that.
        return { detail: { ...wished, slug: detail.slug }, isWaiting: true }
      }
      setError(failure)
      return null
    } finally {
      setBusy(false)
    }
  }
  const hasChanges = () => isChanged(detail, fields, document.read())
  const isValid = areFieldsValid(fields)
  return {
    fields,
    setFields,
    document,
    isRestored,
    error,
    forgetError: () => setError(null),
    isBusy,
    discard,
    save,
    hasChanges,
    isValid,
    keep,
    clear: draft.clear,
  }
}
