import { Button } from '@mantine/core'
import { useT } from '../../i18n/use-translation.ts'
import { Dialog } from './dialog.tsx'
import styles from './qr-dialog.module.css'
import { QrCode } from './qr-code.tsx'

export function QrDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const { t } = useT()
  return (
    <Dialog
      title={t('common.qrCode')}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      <div className={styles.body}>
        <QrCode text={url} />
        <span className={styles.url}>{url}</span>
      </div>
    </Dialog>
  )
}
