import { Button } from '@mantine/core'
import { IconCheck, IconCopy, IconExternalLink } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import { QrCode } from '../../../ui/dialogs/qr-code.tsx'
import { isLoopback } from '../models/guide.ts'
import styles from './guide.module.css'

interface FirstLinkProps {
  title: string
  address: string
}

/** Shows a new link with a copy button and a QR code. */
export function FirstLink({ title, address }: FirstLinkProps) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  const { host, hostname } = new URL(address)
  return (
    <section className={styles.result} aria-label={title}>
      <div className={styles.resultWords}>
        <p className={styles.resultTitle}>{title}</p>
        <a ref={focusOnMount} className={styles.address} href={address} target="_blank" rel="noopener">
          {address}
        </a>
        <div className={styles.resultButtons}>
          <Button
            variant="default"
            leftSection={isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
            // The accessible name does not change, so that the copy is announced only once.
            aria-label={t('welcome.share.copy')}
            onClick={() => void copy(address)}
          >
            {isCopied ? t('common.copied') : t('welcome.share.copy')}
          </Button>
          <output className="dl-sr">{isCopied && t('common.copied')}</output>
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<IconExternalLink size={18} aria-hidden />}
          >
            {t('welcome.share.open')}
          </Button>
        </div>
        {isLoopback(hostname) && <p className={styles.onlyHere}>{t('welcome.share.onlyHere', { host })}</p>}
      </div>
      <QrCode text={address} />
    </section>
  )
}
