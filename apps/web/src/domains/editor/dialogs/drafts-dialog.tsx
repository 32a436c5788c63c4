import { Button } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { type SavedDraft, listDrafts, putBackDraft, removeDraft } from '../drafts/saved-drafts.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { accessibleName } from '../../../ui/buttons/accessible-name.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import styles from './dialogs.module.css'

const SHOWN_CHARACTERS = 200

interface DraftsDialogProps {
  onRestore: (draft: SavedDraft) => void
  onClose: () => void
}

/** Lists recently replaced, cleared or discarded texts, and restores them. */
export default function DraftsDialog({ onRestore, onClose }: DraftsDialogProps) {
  const { t } = useT()
  const [drafts, setDrafts] = useState<readonly SavedDraft[] | 'failed' | null>(null)
  useEffect(() => {
    let isCurrent = true
    const load = async () => {
      const found = await listDrafts().catch(() => 'failed' as const)
      if (isCurrent) setDrafts(found)
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [])
  return (
    <Dialog title={t('editor.drafts.title')} onClose={onClose} isWide>
      {drafts === null && <SkeletonLines label={t('common.loading')} />}
      {drafts === 'failed' && <Banner tone="error">{t('editor.drafts.failed')}</Banner>}
      {Array.isArray(drafts) && drafts.length === 0 && (
        <p className={styles.note}>{t('editor.drafts.empty')}</p>
      )}
      {Array.isArray(drafts) && drafts.length > 0 && (
        <Drafts drafts={drafts} onRestore={onRestore} onFailed={() => setDrafts('failed')} />
      )}
    </Dialog>
  )
}

interface DraftsProps {
  drafts: readonly SavedDraft[]
  onRestore: (draft: SavedDraft) => void
  onFailed: () => void
}

/** A deleted draft keeps its row, so that the user can undo the deletion. */
function Drafts({ drafts, onRestore, onFailed }: DraftsProps) {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set())
  const list = useRef<HTMLUListElement>(null)
  useKeptFocus(list)
  const remove = (draft: SavedDraft, isGone: boolean) => {
    const ids = new Set(removed)
    if (isGone) ids.add(draft.id)
    else ids.delete(draft.id)
    setRemoved(ids)
    const change = isGone ? removeDraft(draft.id) : putBackDraft(draft)
    change.catch(onFailed)
  }
  return (
    <ul ref={list} className={styles.drafts}>
      {drafts.map((draft) => (
        <Draft
          key={draft.id}
          draft={draft}
          isRemoved={removed.has(draft.id)}
          onRestore={onRestore}
          onRemove={remove}
        />
      ))}
    </ul>
  )
}

interface DraftProps {
  draft: SavedDraft
  isRemoved: boolean
  onRestore: (draft: SavedDraft) => void
  /** Deletes the draft if `isRemoved` is true, otherwise restores it. */
  onRemove: (draft: SavedDraft, isRemoved: boolean) => void
}

function Draft({ draft, isRemoved, onRestore, onRemove }: DraftProps) {
  const { t, language } = useT()
  const id = useId()
  const named = (button: string) => accessibleName(`${id}${button}`, `${id}facts`)
  return (
    <li className={styles.draft} {...focusItem(draft.id)}>
      <span id={`${id}facts`} className={styles.facts}>
        {draft.title || t('editor.drafts.home')} · {formatRelative(draft.savedAtMs, language)}
      </span>
      {!isRemoved && <p dir="auto">{draft.text.trim().slice(0, SHOWN_CHARACTERS)}</p>}
      <span className={styles.row}>
        <output className={styles.note}>{isRemoved && t('editor.drafts.removed')}</output>
        {isRemoved ? (
          <Button {...named('undo')} size="compact-md" variant="light" onClick={() => onRemove(draft, false)}>
            {t('common.undo')}
          </Button>
        ) : (
          <>
            <Button {...named('restore')} size="compact-md" variant="light" onClick={() => onRestore(draft)}>
              {t('editor.drafts.restore')}
            </Button>
            <Button
              {...named('remove')}
              size="compact-md"
              variant="subtle"
              color="gray"
              onClick={() => onRemove(draft, true)}
            >
              {t('editor.drafts.remove')}
            </Button>
          </>
        )}
      </span>
    </li>
  )
}
