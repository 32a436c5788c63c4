import { Button } from '@mantine/core'
import { IconLink, IconQrcode } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import styles from './rows.module.css'

interface ShareLinkProps {
  name: string
  link: string
  /** Path of the link in the app. */
  path: string
  /** Buttons shown after the link. */
  children?: ReactNode
}

/** Shows the link of a new share, with a copy button and a QR code. */
export function ShareLink({ name, link, path, children }: ShareLinkProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [isQrOpen, setQrOpen] = useState(false)
  return (
    <div className={styles.link}>
      <a href={hrefOf(path)} target="_blank" rel="noopener" title={t('files.recent.newTab')}>
        {link}
      </a>
      <div className={styles.linkTools}>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconLink size={16} aria-hidden />}
          aria-label={t('files.copyLinkOf', { name })}
          onClick={() => void copy(link, t('files.linkCopied'))}
        >
          {t('files.copyLink')}
        </Button>
        <ToolButton
          label={t('files.qrCodeOf', { name })}
          icon={<IconQrcode size={20} aria-hidden />}
          onClick={() => setQrOpen(true)}
        />
        {children}
      </div>
      {isQrOpen && <QrDialog url={link} onClose={() => setQrOpen(false)} />}
    </div>
  )
}
