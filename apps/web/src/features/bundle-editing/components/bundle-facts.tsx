import type { BundleDetail } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconQrcode, IconRotate2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { bundleAddress } from '../../../domains/bundles/bundle-address.ts'
import { SealedParts } from '../../../domains/sealed/link/sealed-links.tsx'
import { SealedMark } from '../../../domains/sealed/link/sealed-mark.tsx'
import { useArming } from '../../../domains/shares/opening/use-arming.ts'
import { isArmable, OpeningDetails, openingFactsOf } from '../../../domains/shares/table/opening-facts.tsx'
import { ExpiryCell, LockMark, TimeCell, ViewsCell } from '../../../domains/shares/table/share-cells.tsx'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { QrDialog } from '../../../ui/dialogs/qr-dialog.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from './bundle-form.module.css'

interface BundleFactsProps {
  detail: BundleDetail
  /** Key of an encrypted bundle. */
  linkKey: string | null
  /** Called after the bundle was reset. */
  onChanged: () => void
}

/** Shows the link of a bundle and its state. */
export function BundleFacts({ detail, linkKey, onChanged }: BundleFactsProps) {
  const { t, language } = useT()
  const [isQrShown, setQrShown] = useState(false)
  const arm = useArming('bundle', onChanged)
  const opening = openingFactsOf(detail)
  const fragment = linkKey === null ? '' : `#${linkKey}`
  const address = bundleAddress(detail.slug) + fragment
  return (
    <Panel
      title={t('bundleEditing.facts.title')}
      actions={
        isArmable(opening) && (
          <Button
            variant="default"
            leftSection={<IconRotate2 size={18} aria-hidden />}
            onClick={() => void arm(detail.id)}
          >
            {t('shares.opening.arm')}
          </Button>
        )
      }
    >
      <div className={styles.link}>
        <a href={hrefOf(paths.bundle(detail.slug) + fragment)} target="_blank" rel="noopener">
          /s/{detail.slug}
        </a>
        {detail.has_password && <LockMark />}
        <CopyButton text={address} label={t('bundleEditing.linkOf', { slug: detail.slug })} />
        <ToolButton
          label={t('shares.actions.qr')}
          icon={<IconQrcode size={20} aria-hidden />}
          onClick={() => setQrShown(true)}
        />
      </div>
      {linkKey !== null && (
        <div className={styles.sealed}>
          <SealedMark bundleId={detail.id} />
          <SealedParts name={`/${detail.slug}`} slug={detail.slug} linkKey={linkKey} />
        </div>
      )}
      <dl className={styles.facts}>
        <dt>{t('bundleEditing.facts.revision')}</dt>
        <dd>{formatNumber(detail.revision, language)}</dd>
        <dt>{t('bundleEditing.facts.updated')}</dt>
        <dd>
          <TimeCell instant={detail.updated_at} />
        </dd>
        <dt>{t('bundleEditing.facts.size')}</dt>
        <dd>{formatBytes(detail.size, language)}</dd>
        <dt>{t('bundleEditing.facts.expires')}</dt>
        <dd>
          <ExpiryCell expiresAt={detail.expires_at} />
        </dd>
        <dt>{t('bundleEditing.facts.views')}</dt>
        <dd>
          <ViewsCell views={detail.views} maxViews={detail.max_views} />
        </dd>
        <dt>{t('bundleEditing.facts.opening')}</dt>
        <dd>
          <OpeningDetails facts={opening} />
        </dd>
      </dl>
      {isQrShown && <QrDialog url={address} onClose={() => setQrShown(false)} />}
    </Panel>
  )
}
