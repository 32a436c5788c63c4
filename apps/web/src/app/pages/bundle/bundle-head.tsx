import { Button } from '@mantine/core'
import { IconCopy, IconFolderDown, IconLink, IconQrcode, IconShare2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { ShownBundle, ShownFiles } from '../../../features/bundle-reading/sealed/shown-bundle.ts'
import { openShareSheet } from '../../../features/files/components/file-tools.tsx'
import type { TranslateFact } from '../../../features/pastes/components/reading/paste-facts.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { paths } from '../../../lib/paths.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { bundleFacts } from './bundle-facts.ts'
import styles from './bundle.module.css'
import { SealedBadge, SealedTools } from './sealed/sealed-tools.tsx'

/** The link of a bundle. The link of an encrypted bundle contains the key. */
export const bundleAddress = ({ slug, decrypted }: ShownFiles): string =>
  serverAddress() + paths.bundle(slug) + (decrypted ? `#${decrypted.linkKey}` : '')

interface BundleHeadProps {
  bundle: ShownBundle
  /**
   * Name of the page, also for the share sheet. An untitled bundle whose text has a heading does not show this name.
   */
  title: string
  /** Whether the text contains a heading that serves as the title of the page. */
  hasOwnHeading: boolean
  onDownload: () => void
}

/** Title, facts and actions. `early-bundle-page.ts` renders the same markup before the app is loaded. */
export function BundleHead({ bundle, title, hasOwnHeading, onDownload }: BundleHeadProps) {
  const { t, language } = useT()
  const [nowMs] = useState(() => Date.now())
  const facts = bundleFacts(bundle, {
    translate: t as TranslateFact,
    words: (word, values, count) => t(`bundle.${word}`, { ...values, count: count ?? 0 }),
    language,
    nowMs,
  })
  return (
    <header className="dl-bundle-head">
      {bundle.title !== null || !hasOwnHeading ? (
        <h1 className="dl-bundle-title" dir="auto">
          <DisplayName name={title} />
        </h1>
      ) : null}
      <ul className="dl-bundle-facts">
        {facts.map(({ key, text, isUrgent }) => (
          <li key={key} data-urgent={isUrgent || undefined}>
            {text}
          </li>
        ))}
      </ul>
      {bundle.decrypted && <SealedBadge />}
      <div className="dl-bundle-tools">
        <Tools bundle={bundle} title={title} onDownload={onDownload} />
      </div>
    </header>
  )
}

function Tools({ bundle, title, onDownload }: Omit<BundleHeadProps, 'hasOwnHeading'>): ReactNode {
  const { t } = useT()
  const { copy } = useCopy()
  const [isQrOpen, setQrOpen] = useState(false)
  const link = bundleAddress(bundle)
  const { page, items } = bundle.manifest
  const share = async () => {
    if (!(await openShareSheet(title, link))) notify('error', t('bundle.shareFailed'))
  }
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('bundle.actions')}>
      {items.length > 0 && (
        <Button leftSection={<IconFolderDown size={18} aria-hidden />} onClick={onDownload}>
          {t('bundle.downloadAll')}
        </Button>
      )}
      {page && (
        <ToolButton
          label={t('paste.copyText')}
          icon={<IconCopy size={20} aria-hidden />}
          sizePx={40}
          onClick={() => void copy(page.text, t('paste.textCopied'))}
        />
      )}
      <ToolButton
        label={t('bundle.copyLink')}
        icon={<IconLink size={20} aria-hidden />}
        sizePx={40}
        onClick={() => void copy(link, t('bundle.linkCopied'))}
      />
      <ToolButton
        label={t('common.qrCode')}
        icon={<IconQrcode size={20} aria-hidden />}
        sizePx={40}
        onClick={() => setQrOpen(true)}
      />
      {'share' in navigator && (
        <ToolButton
          label={t('bundle.share')}
          icon={<IconShare2 size={20} aria-hidden />}
          sizePx={40}
          onClick={() => void share()}
        />
      )}
      {bundle.decrypted && <SealedTools bundle={bundle} decrypted={bundle.decrypted} />}
      {isQrOpen && <QrDialog url={link} onClose={() => setQrOpen(false)} />}
    </div>
  )
}
