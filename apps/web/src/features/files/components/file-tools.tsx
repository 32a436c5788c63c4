import { Button } from '@mantine/core'
import { IconDownload, IconLink, IconPencil, IconQrcode, IconShare2, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import styles from './file-view.module.css'

interface FileToolsProps {
  name: string
  /** URL of the page. */
  link: string
  downloadUrl: string | null
  /** Saves a file that has no URL. */
  onDownload?: () => void
  /** Actions of the owner, or `null` for other visitors. */
  owner: { readonly onEdit: () => void; readonly onDelete: () => void } | null
  more?: ReactNode
}

export function FileTools({ name, link, downloadUrl, onDownload, owner, more }: FileToolsProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [isQrOpen, setQrOpen] = useState(false)
  const share = async () => {
    if (!(await openShareSheet(name, link))) notify('error', t('files.view.shareFailed'))
  }
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('files.view.actions')}>
      {onDownload && (
        <Button leftSection={<IconDownload size={18} aria-hidden />} onClick={onDownload}>
          {t('files.view.download')}
        </Button>
      )}
      {downloadUrl && (
        <Button
          component="a"
          href={downloadUrl}
          download={name}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          {t('files.view.download')}
        </Button>
      )}
      <ToolButton
        label={t('files.copyLink')}
        icon={<IconLink size={20} aria-hidden />}
        onClick={() => void copy(link, t('files.linkCopied'))}
      />
      <ToolButton
        label={t('files.view.qrCode')}
        icon={<IconQrcode size={20} aria-hidden />}
        onClick={() => setQrOpen(true)}
      />
      {'share' in navigator && (
        <ToolButton
          label={t('files.view.share')}
          icon={<IconShare2 size={20} aria-hidden />}
          onClick={() => void share()}
        />
      )}
      {owner && (
        <>
          <ToolButton
            label={t('files.view.edit')}
            icon={<IconPencil size={20} aria-hidden />}
            onClick={owner.onEdit}
          />
          <ToolButton
            label={t('files.view.delete')}
            icon={<IconTrash size={20} aria-hidden />}
            isDangerous
            onClick={owner.onDelete}
          />
        </>
      )}
      {more}
      {isQrOpen && <QrDialog url={link} onClose={() => setQrOpen(false)} />}
    </div>
  )
}

/**
 * Opens the share sheet of the device.
 * @returns `false` if the share sheet failed to open
 */
export async function openShareSheet(title: string, url: string): Promise<boolean> {
  try {
    await navigator.share({ title, url })
    return true
  } catch (error) {
    // Closing the share sheet is not an error.
    const isDismissed = error instanceof DOMException && error.name === 'AbortError'
    return isDismissed
  }
}
