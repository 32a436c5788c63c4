import { Button } from '@mantine/core'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import formStyles from '../../../ui/form.module.css'

interface PasteChangedDialogProps {
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/** Somebody else has saved meanwhile. Nothing is lost but by choice. */
export function PasteChangedDialog({ onMine, onTheirs, onClose }: PasteChangedDialogProps) {
  const { t } = useT()
  return (
    <Dialog title={t('textView.changed.title')} onClose={onClose}>
      <div className={formStyles.fields}>
        <p className={formStyles.text}>{t('textView.changed.text')}</p>
        <Button onClick={onMine}>{t('textView.changed.takeMine')}</Button>
        <Button variant="default" onClick={onTheirs}>
          {t('textView.changed.takeTheirs')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('textView.changed.goOn')}
        </Button>
      </div>
    </Dialog>
  )
}
