import { Button } from '@mantine/core'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import styles from './dialogs.module.css'

interface ChangedDialogProps {
  name: string
  onKeepBoth: () => void
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Somebody else has saved meanwhile. Nothing is lost but by choice. */
export function ChangedDialog({ name, onKeepBoth, onMine, onTheirs, onClose }: ChangedDialogProps) {
  const { t } = useT()
  return (
    <Dialog title={t('explorer.edit.changedTitle')} onClose={onClose}>
      <p className={styles.text}>{t('explorer.edit.changedText', { name })}</p>
      <div className={styles.choices}>
        <Button onClick={onKeepBoth}>{t('explorer.edit.keepBoth')}</Button>
        <Button variant="default" onClick={onMine}>
          {t('explorer.edit.takeMine')}
        </Button>
        <Button variant="default" onClick={onTheirs}>
          {t('explorer.edit.takeTheirs')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('explorer.edit.goOn')}
        </Button>
      </div>
    </Dialog>
  )
}
