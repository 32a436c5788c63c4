import type { ReadablePaste } from '@dropleaf/contract'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconCheck,
  IconCopy,
  IconFileText,
  IconLink,
  IconMarkdown,
  IconPencil,
  IconPrinter,
  IconQrcode,
  IconTxt,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useCopy } from '../../../ui/copy-button.tsx'
import { QrDialog } from '../../../ui/qr-dialog.tsx'
import { rawAddress, shareAddress } from '../share-address.ts'
import type { PasteFormat } from './paste-article.tsx'
import styles from './paste-tools.module.css'

interface PasteToolsProps {
  paste: ReadablePaste
  /** Given when the reader has just typed it; the raw text needs it too. */
  password: string | null
  format: PasteFormat
  onFormat: (format: PasteFormat) => void
  onEdit: (() => void) | null
}

export function PasteTools({ paste, password, format, onFormat, onEdit }: PasteToolsProps) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  const [isQrOpen, setQrOpen] = useState(false)
  const link = shareAddress(paste.slug)
  const isMarkdown = format === 'markdown'
  const copyLink = async () => {
    if (await copy(link)) notify('success', t('paste.linkCopied'))
  }
  const copyContent = async () => {
    if (await copy(paste.content)) notify('success', t('paste.textCopied'))
  }
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('paste.actions')}>
      <Button
        variant="light"
        size="compact-md"
        h={34}
        leftSection={isCopied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
        onClick={() => void copyContent()}
      >
        {t('paste.copyText')}
      </Button>
      <Tool
        label={t('paste.copyLink')}
        icon={<IconLink size={20} aria-hidden />}
        onClick={() => void copyLink()}
      />
      <Tool
        label={isMarkdown ? t('paste.showPlain') : t('paste.showMarkdown')}
        icon={isMarkdown ? <IconTxt size={20} aria-hidden /> : <IconMarkdown size={20} aria-hidden />}
        onClick={() => onFormat(isMarkdown ? 'plain' : 'markdown')}
      />
      <RawTool paste={paste} password={password} />
      <Tool
        label={t('common.qrCode')}
        icon={<IconQrcode size={20} aria-hidden />}
        onClick={() => setQrOpen(true)}
      />
      <Tool
        className={styles.wide}
        label={t('paste.print')}
        icon={<IconPrinter size={20} aria-hidden />}
        onClick={() => window.print()}
      />
      {onEdit && (
        <Tool label={t('paste.edit')} icon={<IconPencil size={20} aria-hidden />} onClick={onEdit} />
      )}
      {isQrOpen && <QrDialog url={link} onClose={() => setQrOpen(false)} />}
    </div>
  )
}

interface ToolProps {
  label: string
  icon: ReactNode
  onClick: () => void
  className?: string | undefined
}

function Tool({ label, icon, onClick, className = '' }: ToolProps) {
  return (
    <ActionIcon
      className={className}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  )
}

function RawTool({ paste, password }: Pick<PasteToolsProps, 'paste' | 'password'>) {
  const { t } = useT()
  const isLimited = paste.maxViews !== null && paste.maxViews > 0
  return (
    <ActionIcon
      component="a"
      href={rawAddress(paste.slug, password)}
      target="_blank"
      rel="noopener"
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t('paste.raw')}
      title={isLimited ? `${t('paste.raw')} · ${t('paste.rawCounts')}` : t('paste.raw')}
    >
      <IconFileText size={20} aria-hidden />
    </ActionIcon>
  )
}
