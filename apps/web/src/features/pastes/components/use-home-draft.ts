import type { PasteContentType } from '@dropleaf/contract'
import { PASTE_CONTENT_TYPES } from '@dropleaf/contract'
import { useEffect, useState } from 'react'
import type { Draft } from '../../../lib/draft.ts'
import { createDraft } from '../../../lib/draft.ts'
import { readStoredJson, writeStored } from '../../../lib/storage.ts'
import type { TextDocument } from '../../../lib/text-document.ts'
import { createTextDocument } from '../../../lib/text-document.ts'

export interface HomeDraft {
  readonly text: string
  readonly contentType: PasteContentType
}

const KEY = 'home_draft'
/** Stands for a draft in the database. */
const ELSEWHERE = { isElsewhere: true }
const LARGE_DELAY_MS = 1500

const isHomeDraft = (value: unknown): value is HomeDraft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'contentType' in value &&
  PASTE_CONTENT_TYPES.includes(value.contentType as PasteContentType)

export const HOME_DRAFTS = { place: 'home', title: '' }

/** The database of the browser has room for what its small storage has not; it is fetched when it is needed. */
const largeDrafts = () => import('../../../lib/kept-drafts.ts')

const asKept = ({ text, contentType }: HomeDraft) => ({
  ...HOME_DRAFTS,
  text,
  isMarkdown: contentType === 'text/markdown',
})

interface HomeText {
  document: TextDocument
  draft: Draft<HomeDraft>
  contentType: PasteContentType
  setContentType: (contentType: PasteContentType) => void
  isRestored: boolean
  setRestored: (isRestored: boolean) => void
  hasRoom: boolean
  /** Keeps the text in the list of drafts. */
  keep: () => Promise<void>
}

/** The text of the home page, saved a second after each change and taken up again on the next visit. */
export function useHomeDraft(): HomeText {
  const [hasRoom, setHasRoom] = useState(true)
  const [isSmall, setSmall] = useState(true)
  const [draft] = useState(() =>
    createDraft<HomeDraft>({ key: KEY, isValid: isHomeDraft, onSaved: setSmall }),
  )
  const [restored] = useState(draft.read)
  const [document] = useState(() => createTextDocument(restored?.text ?? ''))
  const [contentType, setContentType] = useState<PasteContentType>(restored?.contentType ?? 'text/markdown')
  const [isRestored, setRestored] = useState(restored !== null)

  // A text for which there is no room is kept in the database, and that is noted in its place.
  useEffect(() => {
    if (isSmall) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const save = async () => {
      const { keepCurrent } = await largeDrafts()
      const isKept = await keepCurrent(asKept({ text: document.read(), contentType }))
      if (isKept) writeStored(KEY, JSON.stringify(ELSEWHERE))
      setHasRoom(isKept)
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void save(), LARGE_DELAY_MS)
    }
    void save()
    const unsubscribe = document.subscribe(later)
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [isSmall, document, contentType])

  useEffect(() => {
    const noted = readStoredJson(KEY)
    const isElsewhere = typeof noted === 'object' && noted !== null && 'isElsewhere' in noted
    if (!isElsewhere) return
    const restore = async () => {
      const { findCurrent } = await largeDrafts()
      const found = await findCurrent(HOME_DRAFTS.place)
      // What was typed meanwhile is not written over.
      if (!found || document.read() !== '') return
      setContentType(found.isMarkdown ? 'text/markdown' : 'text/plain')
      document.replace(found.text)
      setRestored(true)
    }
    void restore()
  }, [document])

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

  const keep = async () => {
    const text = document.read()
    const { keepDraft } = await largeDrafts()
    await keepDraft(asKept({ text, contentType }))
  }
  return { document, draft, contentType, setContentType, isRestored, setRestored, hasRoom, keep }
}
