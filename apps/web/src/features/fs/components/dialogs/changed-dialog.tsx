import { Button } from '@mantine/core'
import { useT } from '../../../../i18n/use-translation.ts'
import { Dialog } from '../../../../ui/dialogs/dialog.tsx'
import styles from './dialogs.module.css'

interface ChangedDialogProps {
  name: string
  /** Whether the file was deleted rather than changed. */
  isGone: boolean
  onKeepBoth: () => void
  onMine: () => void
  onTheirs: () => void
  onClose: () => void
}

/**
 * Asks what to do if the file was changed or deleted after it was loaded. Only an explicit choice discards a version.
 */
export function ChangedDialog(props: ChangedDialogProps) {
  const { name, isGone, onKeepBoth, onMine, onTheirs, onClose } = props
  const { t } = useT()
  return (
    <Dialog title={t(isGone ? 'explorer.edit.goneTitle' : 'explorer.edit.changedTitle')} onClose={onClose}>
      <p className={styles.text}>
        {t(isGone ? 'explorer.edit.goneText' : 'explorer.edit.changedText', { name })}
      </p>
      <div className={styles.choices}>
        {!isGone && <Button onClick={onKeepBoth}>{t('explorer.edit.keepBoth')}</Button>}
        <Button variant={isGone ? 'filled' : 'default'} onClick={onMine}>
          {t(isGone ? 'explorer.edit.saveAgain' : 'explorer.edit.takeMine')}
        </Button>
        <Button variant="default" onClick={onTheirs}>
          {t(isGone ? 'explorer.edit.discard' : 'explorer.edit.takeTheirs')}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          {t('explorer.edit.goOn')}
        </Button>
      </div>
    </Dialog>
  )
}
