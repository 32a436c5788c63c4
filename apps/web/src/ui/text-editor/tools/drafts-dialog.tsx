import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { type KeptDraft, listDrafts, removeDraft } from '../../../lib/kept-drafts.ts'
import { Dialog } from '../../dialog.tsx'
import { Banner } from '../../message.tsx'
import { SkeletonLines } from '../../skeleton.tsx'
import styles from './dialogs.module.css'

const SHOWN_CHARACTERS = 200

interface DraftsDialogProps {
  onRestore: (draft: KeptDraft) => void
  onClose: () => void
}

/** What was replaced, cleared or given up lately, to be brought back. */
export default function DraftsDialog({ onRestore, onClose }: DraftsDialogProps) {
  const { t } = useT()
  const [drafts, setDrafts] = useState<readonly KeptDraft[] | 'failed' | null>(null)
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
  const remove = (id: string) => {
    if (Array.isArray(drafts)) setDrafts(drafts.filter((draft) => draft.id !== id))
    removeDraft(id).catch(() => setDrafts('failed'))
  }
  return (
    <Dialog title={t('editor.drafts.title')} onClose={onClose} isWide>
      {drafts === null && <SkeletonLines label={t('common.loading')} />}
      {drafts === 'failed' && <Banner tone="error">{t('editor.drafts.failed')}</Banner>}
      {Array.isArray(drafts) && drafts.length === 0 && (
        <p className={styles.note}>{t('editor.drafts.empty')}</p>
      )}
      {Array.isArray(drafts) && (
        <ul className={styles.drafts}>
          {drafts.map((draft: KeptDraft) => (
            <Draft key={draft.id} draft={draft} onRestore={onRestore} onRemove={remove} />
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface DraftProps {
  draft: KeptDraft
  onRestore: (draft: KeptDraft) => void
  onRemove: (id: string) => void
}

function Draft({ draft, onRestore, onRemove }: DraftProps) {
  const { t, language } = useT()
  return (
    <li className={styles.draft}>
      <span className={styles.facts}>
        {draft.title || t('editor.drafts.home')} · {formatRelative(draft.savedAtMs, language)}
      </span>
      <p dir="auto">{draft.text.trim().slice(0, SHOWN_CHARACTERS)}</p>
      <span className={styles.row}>
        <Button size="compact-md" variant="light" onClick={() => onRestore(draft)}>
          {t('editor.drafts.restore')}
        </Button>
        <Button size="compact-md" variant="subtle" color="gray" onClick={() => onRemove(draft.id)}>
          {t('editor.drafts.remove')}
        </Button>
      </span>
    </li>
  )
}
