import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import formStyles from '../../../../ui/forms/form.module.css'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { pasteQueries } from '../../api/pastes.queries.ts'
import styles from './paste-changed-dialog.module.css'

const TextDiff = lazy(async () => {
  const { TextDiff: Diff } = await import('../../../../domains/text-diff/text-diff.tsx')
  return { default: Diff }
})

interface PasteChangedDialogProps {
  slug: string
  /** The text of the user's edit, which is not saved yet. */
  mine: string
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Asks what to do if the text has changed since it was loaded. Only an explicit choice discards a version. */
export function PasteChangedDialog({ slug, mine, onMine, onTheirs, onClose }: PasteChangedDialogProps) {
  const { t } = useT()
  const theirs = useQuery(pasteQueries.own(slug))
  const waiting = <SkeletonLines label={t('common.loading')} />
  return (
    <Dialog title={t('textView.changed.title')} onClose={onClose} isWide>
      <div className={formStyles.fields}>
        <p className={formStyles.text}>{t('textView.changed.text')}</p>
        {theirs.isPending && waiting}
        {theirs.data && (
          <div className={styles.diff}>
            <p className={formStyles.text}>{t('textView.changed.difference')}</p>
            <Suspense fallback={waiting}>
              <TextDiff before={theirs.data.content} after={mine} />
            </Suspense>
          </div>
        )}
        <Button className={styles.choice ?? ''} onClick={onMine}>
          {t('textView.changed.takeMine')}
        </Button>
        <Button className={styles.choice ?? ''} variant="default" onClick={onTheirs}>
          {t('textView.changed.takeTheirs')}
        </Button>
        <Button className={styles.choice ?? ''} variant="subtle" color="gray" onClick={onClose}>
          {t('textView.changed.goOn')}
        </Button>
      </div>
    </Dialog>
  )
}
