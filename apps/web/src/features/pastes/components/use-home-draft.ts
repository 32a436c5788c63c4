import type { PasteContentType } from '@dropleaf/contract'
import { PASTE_CONTENT_TYPES } from '@dropleaf/contract'
import { useEffect, useState } from 'react'
import type { Draft } from '../../../lib/draft.ts'
import { createDraft } from '../../../lib/draft.ts'
import type { TextDocument } from '../../../lib/text-document.ts'
import { createTextDocument } from '../../../lib/text-document.ts'

export interface HomeDraft {
  readonly text: string
  readonly contentType: PasteContentType
}

const isHomeDraft = (value: unknown): value is HomeDraft =>
  typeof value === 'object' &&
  value !== null &&
  'text' in value &&
  typeof value.text === 'string' &&
  'contentType' in value &&
  PASTE_CONTENT_TYPES.includes(value.contentType as PasteContentType)

interface HomeText {
  document: TextDocument
  draft: Draft<HomeDraft>
  contentType: PasteContentType
  setContentType: (contentType: PasteContentType) => void
  isRestored: boolean
  setRestored: (isRestored: boolean) => void
  hasRoom: boolean
}

/** The text of the home page, saved a second after each change and taken up again on the next visit. */
export function useHomeDraft(): HomeText {
  const [hasRoom, setHasRoom] = useState(true)
  const [draft] = useState(() =>
    createDraft<HomeDraft>({ key: 'home_draft', isValid: isHomeDraft, onSaved: setHasRoom }),
  )
  const [restored] = useState(draft.read)
  const [document] = useState(() => createTextDocument(restored?.text ?? ''))
  const [contentType, setContentType] = useState<PasteContentType>(restored?.contentType ?? 'text/markdown')
  const [isRestored, setRestored] = useState(restored !== null)

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

  return { document, draft, contentType, setContentType, isRestored, setRestored, hasRoom }
}
