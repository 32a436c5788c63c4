import type { PasteContentType } from '@dropleaf/contract'
import { PASTE_CONTENT_TYPES } from '@dropleaf/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { holdSave } from '../../../../lib/pending-saves.ts'
import { HOME_DRAFT } from '../../../../domains/editor/early-field.ts'
import { writeStored } from '../../../../lib/browser/storage.ts'
import type { TabDraft } from '../../../../domains/editor/drafts/tab-draft.ts'
import { createTabDraft } from '../../../../domains/editor/drafts/tab-draft.ts'
import type { TextDocument } from '../../../../domains/editor/document/text-document.ts'
import { createTextDocument } from '../../../../domains/editor/document/text-document.ts'

export interface HomeDraft {
  readonly text: string
  readonly contentType: PasteContentType
}

/** Value of the tab's slot in localStorage if the draft itself is stored in IndexedDB. */
interface Elsewhere {
  readonly isElsewhere: true
}

type HomeSlot = HomeDraft | Elsewhere

const LARGE_DELAY_MS = 1500

const isHomeSlot = (value: unknown): value is HomeSlot =>
  typeof value === 'object' &&
  value !== null &&
  ('isElsewhere' in value ||
    ('text' in value &&
      typeof value.text === 'string' &&
      'contentType' in value &&
      PASTE_CONTENT_TYPES.includes(value.contentType as PasteContentType)))

const isHere = (slot: HomeSlot | null): slot is HomeDraft => slot !== null && 'text' in slot

export const HOME_DRAFTS = { place: 'home', title: '' }

/** Large drafts go into IndexedDB, which has more space than localStorage. The module is loaded on demand. */
const largeDrafts = () => import('../../../../domains/editor/drafts/saved-drafts.ts')

const asSavedDraft = ({ text, contentType }: HomeDraft) => ({
  ...HOME_DRAFTS,
  text,
  isMarkdown: contentType === 'text/markdown',
})

const noteElsewhere = (slot: string) =>
  writeStored(slot, JSON.stringify({ isElsewhere: true, savedAtMs: Date.now() }))

async function findLarge(slot: string): Promise<HomeDraft | null> {
  const { findCurrent } = await largeDrafts()
  const found = await findCurrent(slot)
  return found ? { text: found.text, contentType: found.isMarkdown ? 'text/markdown' : 'text/plain' } : null
}

/**
 * Restores the latest draft of closed tabs, and adds the other drafts to the list of drafts.
 * @param show shows the draft unless the user has typed text; returns whether the draft is shown
 */
async function adoptOrphan(draft: TabDraft<HomeSlot>, show: (found: HomeDraft) => boolean): Promise<void> {
  const orphans = await draft.findOrphans()
  let isShown = false
  for (const { slot, value, remove } of orphans) {
    const found = isHere(value) ? value : await findLarge(slot)
    if (!found) remove()
    else if (isShown) {
      const { saveDraft } = await largeDrafts()
      if (await saveDraft(asSavedDraft(found))) remove()
    } else if (!show(found)) return
    else if (isHere(value)) {
      isShown = true
      draft.flush()
      remove()
    } else {
      isShown = true
      const { storeCurrent, forgetCurrent } = await largeDrafts()
      const isStored = await storeCurrent(draft.slot(), asSavedDraft(found))
      if (!isStored) return
      noteElsewhere(draft.slot())
      await forgetCurrent(slot)
      remove()
    }
  }
}

interface HomeText {
  document: TextDocument
  draft: TabDraft<HomeSlot>
  contentType: PasteContentType
  setContentType: (contentType: PasteContentType) => void
  isRestored: boolean
  setRestored: (isRestored: boolean) => void
  hasRoom: boolean
  /** Whether restoring drafts has finished. */
  isReady: boolean
  /** Saves the text to the list of drafts; returns whether it is stored. */
  keep: () => Promise<boolean>
}

interface LargeDraft {
  document: TextDocument
  draft: TabDraft<HomeSlot>
  contentType: PasteContentType
  /** Whether the text fits into the tab's storage. */
  isSmall: boolean
}

/**
 * If a text does not fit into the tab's storage, stores it in IndexedDB, and records this in the tab's slot. Returns
 * `false` if the last attempt to store the text failed.
 */
function useLargeDraft({ document, draft, contentType, isSmall }: LargeDraft): boolean {
  const [hasRoom, setHasRoom] = useState(true)
  useEffect(() => {
    if (isSmall) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = async () => {
      const slot = draft.slot()
      const { storeCurrent } = await largeDrafts()
      const isStored = await storeCurrent(slot, asSavedDraft({ text: document.read(), contentType }))
      if (isStored) noteElsewhere(slot)
      setHasRoom(isStored)
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void save(), LARGE_DELAY_MS)
    }
    void save()
    const unsubscribe = document.subscribe(later)
    const release = holdSave(save)
    return () => {
      clearTimeout(timer)
      release()
      unsubscribe()
    }
  }, [isSmall, document, draft, contentType])
  return hasRoom
}

/**
 * Restores the draft of this tab, or else of a closed tab. Returns whether the restoration has finished.
 * @param onFound called when a draft is in the document
 */
function useRestoredDraft(
  { document, draft }: Pick<LargeDraft, 'document' | 'draft'>,
  onFound: (found: HomeDraft) => void,
): boolean {
  const [isReady, setReady] = useState(false)
  const noteFound = useEffectEvent(onFound)
  useEffect(() => {
    let isGone = false
    const show = (found: HomeDraft) => {
      // A draft must not overwrite typed text.
      if (isGone || document.read() !== '') return false
      document.replace(found.text)
      noteFound(found)
      return true
    }
    const restore = async () => {
      const own = draft.read()
      if (isHere(own)) return
      if (!own) return adoptOrphan(draft, show)
      const found = await findLarge(draft.slot())
      if (found) show(found)
    }
    restore()
      .catch(reportError)
      .finally(() => {
        if (!isGone) setReady(true)
      })
    return () => {
      isGone = true
    }
  }, [document, draft])
  return isReady
}

/**
 * The text of the home page. It is saved a moment after each change, and restored on the next visit: in the same tab,
 * or in another tab after this one was closed.
 */
export function useHomeDraft(): HomeText {
  const [isSmall, setSmall] = useState(true)
  const [draft] = useState(() =>
    createTabDraft<HomeSlot>({ name: HOME_DRAFT, isValid: isHomeSlot, isWhole: isHere, onSaved: setSmall }),
  )
  const [restored] = useState(() => {
    const slot = draft.read()
    return isHere(slot) ? slot : null
  })
  const [document] = useState(() => createTextDocument(restored?.text ?? ''))
  const [contentType, setContentType] = useState<PasteContentType>(restored?.contentType ?? 'text/markdown')
  const [isRestored, setRestored] = useState(restored !== null)

  const hasRoom = useLargeDraft({ document, draft, contentType, isSmall })

  useEffect(() => {
    const save = () => {
      draft.save(() => {
        const text = document.read()
        return text.trim() === '' ? null : { text, contentType }
      })
    }
    if (document.read() !== '') save()
    const unsubscribe = document.subscribe((isOutside) => {
      if (!isOutside) setRestored(false)
      save()
    })
    window.addEventListener('pagehide', draft.flush)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', draft.flush)
      draft.flush()
    }
  }, [document, draft, contentType])

  const isReady = useRestoredDraft({ document, draft }, (found) => {
    setContentType(found.contentType)
    setRestored(true)
  })

  const keep = async () => {
    const text = document.read()
    const { saveDraft } = await largeDrafts()
    return saveDraft(asSavedDraft({ text, contentType }))
  }
  return { document, draft, contentType, setContentType, isRestored, setRestored, hasRoom, isReady, keep }
}
