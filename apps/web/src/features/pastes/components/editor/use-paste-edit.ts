import type { PasteDetail } from '@dropleaf/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { hasCode, isQueued } from '../../../../lib/api-error.ts'
import { changedDetail } from '../../../../domains/offline/queue/edited-text.ts'
import { keepLineEndings } from '../../../../domains/editor/document/line-endings.ts'
import { createTabDraft, type TabDraft } from '../../../../domains/editor/drafts/tab-draft.ts'
import { createTextDocument, type TextDocument } from '../../../../domains/editor/document/text-document.ts'
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

/** Adds the fields that a draft lacks because an earlier version of the app stored it. */
const fieldsFrom = (detail: PasteDetail, draft: EditDraft | null): EditFields => ({
  ...fieldsOf(detail),
  ...draft?.fields,
})

async function saveAsDraft(detail: PasteDetail, { text, fields }: Pick<EditDraft, 'text' | 'fields'>) {
  if (text === detail.content) return false
  const { saveDraft } = await import('../../../../domains/editor/drafts/saved-drafts.ts')
  return saveDraft({ ...draftsOf(detail), text, isMarkdown: fields.contentType === 'text/markdown' })
}

/** `isWaiting` means that the change is queued. */
type SaveResult = { readonly detail: PasteDetail; readonly isWaiting: boolean } | null

interface EditedPaste {
  readonly detail: PasteDetail
  readonly fields: EditFields
  readonly document: TextDocument
  readonly draft: TabDraft<EditDraft>
  readonly baseVersion: string
}

/** Saves the form to the draft of this tab after each change. */
function useDraftSaving({ detail, fields, document, draft, baseVersion }: EditedPaste) {
  useEffect(() => {
    const save = () => {
      draft.save(() => {
        const text = document.read()
        return isChanged(detail, fields, text)
          ? { text, fields: withoutPassword(fields), updatedAt: baseVersion }
          : null
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
}

/**
 * Looks for drafts of closed tabs. Puts the latest draft into the form, and the other drafts into the list of drafts.
 * @param adopt returns whether the form accepts the draft
 */
function useOrphanedDrafts(
  { detail, draft }: Pick<EditedPaste, 'detail' | 'draft'>,
  adopt: (found: EditDraft) => boolean,
) {
  const onFound = useEffectEvent(adopt)
  useEffect(() => {
    if (draft.read()) return undefined
    let isGone = false
    const look = async () => {
      const [latest, ...older] = await draft.findOrphans()
      if (isGone || !latest || !onFound(latest.value)) return
      latest.remove()
      for (const { value, remove } of older) if (await saveAsDraft(detail, value)) remove()
    }
    look().catch(reportError)
    return () => {
      isGone = true
    }
  }, [draft, detail])
}

/**
 * Fields and text of an edit. Starts with a stored draft, even if the draft is based on an older version. The user can
 * discard the draft, but an ignored draft would be lost.
 */
function useEditedPaste(detail: PasteDetail) {
  const [draft] = useState(() => draftOf(detail.id))
  const [restored] = useState(() => draft.read())
  const [fields, setFields] = useState<EditFields>(() => fieldsFrom(detail, restored))
  const [document] = useState(() =>
    createTextDocument(restored?.text ?? detail.content, { keepForm: keepLineEndings, text: detail.content }),
  )
  const [isRestored, setRestored] = useState(restored !== null)
  // Version that the edit is based on; a draft can be based on an older version.
  const [baseVersion, setBaseVersion] = useState(restored?.updatedAt ?? detail.updated_at)
  const edited: EditedPaste = { detail, fields, document, draft, baseVersion }
  useDraftSaving(edited)
  useOrphanedDrafts(edited, (found) => {
    if (isChanged(detail, fields, document.read())) return false
    setFields(fieldsFrom(detail, found))
    setBaseVersion(found.updatedAt)
    setRestored(true)
    document.replace(found.text)
    draft.save(() => found)
    draft.flush()
    return true
  })
  /** Saves the text to the list of drafts if it has changed. */
  const keep = (): Promise<boolean> => saveAsDraft(detail, { text: document.read(), fields })
  const discard = () => {
    void keep()
    setFields(fieldsOf(detail))
    document.replace(detail.content)
    setRestored(false)
    setBaseVersion(detail.updated_at)
    draft.clear()
  }
  return { ...edited, setFields, isRestored, keep, discard }
}

type Body = ReturnType<typeof updateBody>

interface Update {
  readonly detail: PasteDetail
  readonly continues: number | null
  readonly body: Body
  /** `undefined` overwrites any version. */
  readonly expectedUpdatedAt: string | undefined
}

const sendUpdate = ({ detail, continues, body, expectedUpdatedAt }: Update) =>
  updatePaste(
    detail.id,
    { ...body, ...(expectedUpdatedAt !== undefined && { expectedUpdatedAt }) },
    {
      isProtected: Boolean(detail.has_password) && !body.clearPassword,
      slug: detail.slug,
      continues,
    },
  )

/** Updates the share. A pending change that was sent after the form was opened is not a conflict. */
async function update(change: Update) {
  const { detail, continues } = change
  try {
    return await sendUpdate(change)
  } catch (failure) {
    if (continues === null || !hasCode(failure, 'paste.changed')) throw failure
    const there = await readOwnPaste(detail.id)
    if (there.content !== detail.content) throw failure
    return await sendUpdate({ ...change, expectedUpdatedAt: there.updated_at })
  }
}

/**
 * State of one edit of a text.
 * @param continues ID of the pending change that led to the edited version; `null` for none
 */
export function usePasteEdit(detail: PasteDetail, continues: number | null) {
  const edited = useEditedPaste(detail)
  const { draft, document, fields, baseVersion } = edited
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  /**
   * Saves the edit. Returns the share after the save; for a queued change, returns the share as it will be after the
   * change. Returns `null` after an error.
   * @param isForced overwrites a version that was saved meanwhile
   */
  const save = async ({ isForced = false } = {}): Promise<SaveResult> => {
    setBusy(true)
    setError(null)
    const body = updateBody(detail, fields, document.read())
    try {
      const expectedUpdatedAt = isForced ? undefined : baseVersion
      const { slug } = await update({ detail, continues, body, expectedUpdatedAt })
      draft.clear()
      const changed = { ...changedDetail(detail, body, body.password !== null), slug }
      // The text is saved, also if it cannot be read again.
      return { detail: await readOwnPaste(slug).catch(() => changed), isWaiting: false }
    } catch (failure) {
      if (isQueued(failure)) {
        draft.clear()
        const changed = changedDetail(detail, body, body.password !== null)
        // The old slug stays valid until the server has received the change.
        return { detail: { ...changed, slug: detail.slug }, isWaiting: true }
      }
      setError(failure)
      return null
    } finally {
      setBusy(false)
    }
  }
  return {
    fields,
    setFields: edited.setFields,
    document,
    isRestored: edited.isRestored,
    error,
    forgetError: () => setError(null),
    isBusy,
    discard: () => {
      edited.discard()
      setError(null)
    },
    save,
    hasChanges: () => isChanged(detail, fields, document.read()),
    isValid: areFieldsValid(fields),
    keep: edited.keep,
    clear: draft.clear,
  }
}
