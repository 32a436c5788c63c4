import { IconShieldLock } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { useKeptKey } from '../keys/use-kept-keys.ts'
import styles from './sealed-links.module.css'

/** Marks an encrypted bundle, and shows whether this browser can open it. */
export function SealedMark({ bundleId }: { bundleId: string }) {
  const { t } = useT()
  const kept = useKeptKey(bundleId)
  const isLost = kept !== null && !kept
  const facts = [t('common.sealed.label')]
  if (kept !== null) facts.push(t(kept ? 'sealing.canOpen' : 'sealing.cannotOpen'))
  return (
    <span className={styles.mark} title={facts.join(' · ')}>
      <IconShieldLock size={16} aria-hidden /> {t(isLost ? 'sealing.encryptedNoKey' : 'sealing.encrypted')}
    </span>
  )
}
