import type { BundleDetail } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { SealedMark } from '../../../domains/sealed/link/sealed-mark.tsx'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import styles from './bundle-form.module.css'
import { BundleSettingsDialog } from './bundle-settings-dialog.tsx'

interface SealedBundleProps {
  detail: BundleDetail
  onSettings: () => void
  onLeave: () => void
}

/** The owner's view of an encrypted bundle: its settings, but not its contents. */
export function SealedBundle({ detail, onSettings, onLeave }: SealedBundleProps) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const kept = useKeptKey(detail.id)
  return (
    <div className={styles.form}>
      <h1 ref={goOnHere} tabIndex={-1} className={styles.title}>
        {kept?.name ?? `/${detail.slug}`}
      </h1>
      <SealedMark bundleId={detail.id} />
      <Banner tone="info">{t('sealing.noEdit')}</Banner>
      <div className={styles.actions}>
        <Button onClick={() => setOpen(true)}>{t('bundleEditing.options.title')}</Button>
        <Button variant="default" onClick={onLeave}>
          {t('bundleEditing.back')}
        </Button>
      </div>
      {isOpen && <BundleSettingsDialog detail={detail} onSaved={onSettings} onClose={() => setOpen(false)} />}
    </div>
  )
}
