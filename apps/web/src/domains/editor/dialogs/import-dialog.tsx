import { Button } from '@mantine/core'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import styles from './dialogs.module.css'

interface ImportDialogProps {
  name: string
  onReplace: () => void
  onInsert: () => void
  onClose: () => void
}

/** Asks whether an imported file replaces the text or is inserted. */
export default function ImportDialog({ name, onReplace, onInsert, onClose }: ImportDialogProps) {
  const { t } = useT()
  return (
    <Dialog
      title={t('editor.import.title', { name })}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="default" onClick={onInsert}>
            {t('editor.import.insert')}
          </Button>
          <Button onClick={onReplace}>{t('editor.import.replace')}</Button>
        </>
      }
    >
      <p className={styles.note}>{t('editor.import.text')}</p>
    </Dialog>
  )
}
