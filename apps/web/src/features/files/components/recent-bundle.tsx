import type { FileListItem, ListedShare } from '@dropleaf/contract'
import { IconFiles, IconLink, IconLock, IconQrcode } from '@tabler/icons-react'
import { useState } from 'react'
import { bundleAddress } from '../../../domains/bundles/bundle-address.ts'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { SealedMark } from '../../../domains/sealed/link/sealed-mark.tsx'
import { useT } from '../../../i18n/use-translation.ts'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { formatBytes, formatDateTime, formatNumber, formatRelative } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import styles from './recent-files.module.css'

/** A bundle in the list of the newest uploads. */
export function RecentBundle({ bundle }: { bundle: ListedShare }) {
  const { t, language } = useT()
  const { copy } = useCopy()
  const [isQrOpen, setQrOpen] = useState(false)
  const { slug, title, size, item_count: count, sealed } = bundle
  const kept = useKeptKey(sealed === null ? null : bundle.id)
  const name = kept?.name || (title ?? `/${slug}`)
  const hash = kept ? `#${kept.linkKey}` : ''
  const address = `${bundleAddress(slug)}${hash}`
  return (
    <li className={styles.row} {...focusItem(bundle.id)}>
      <IconFiles size={24} aria-hidden />
      <div className={styles.main}>
        <a
          className={styles.name}
          href={hrefOf(`${paths.bundle(slug)}${hash}`)}
          target="_blank"
          rel="noopener"
          title={t('files.recent.newTab')}
        >
          <DisplayName name={name} />
        </a>
        <span className={styles.meta}>
          {size !== null && size > 0 && <span>{formatBytes(size, language)}</span>}
          {sealed === null ? (
            <span>{count ? t('files.recent.items', { count }) : t('files.recent.onlyText')}</span>
          ) : (
            <SealedMark bundleId={bundle.id} />
          )}
          <ViewsLeft share={bundle} />
          {bundle.has_password && (
            <span className={styles.chip}>
              <IconLock size={14} aria-hidden /> {t('files.passwordChip')}
            </span>
          )}
          <time dateTime={bundle.created_at} title={formatDateTime(bundle.created_at, language)}>
            {formatRelative(bundle.created_at, language)}
          </time>
        </span>
      </div>
      <div className={styles.tools}>
        <ToolButton
          label={t('files.copyLinkOf', { name })}
          icon={<IconLink size={20} aria-hidden />}
          onClick={() => void copy(address, t(kept ? 'sealing.linkCopied' : 'files.linkCopied'))}
        />
        <ToolButton
          label={t('files.qrCodeOf', { name })}
          icon={<IconQrcode size={20} aria-hidden />}
          onClick={() => setQrOpen(true)}
        />
        {isQrOpen && <QrDialog url={address} onClose={() => setQrOpen(false)} />}
      </div>
    </li>
  )
}

export function ViewsLeft({ share }: { share: Pick<FileListItem, 'max_views' | 'views'> }) {
  const { t, language } = useT()
  if (share.max_views === null || share.max_views === 0) return <span>{t('files.recent.unlimited')}</span>
  const left = Math.max(0, share.max_views - share.views)
  if (left === 0) return <span className={styles.over}>{t('files.recent.usedUp')}</span>
  return (
    <span className={left < 3 ? styles.few : undefined}>
      {t('files.recent.viewsLeft', { count: formatNumber(left, language) })}
    </span>
  )
}
