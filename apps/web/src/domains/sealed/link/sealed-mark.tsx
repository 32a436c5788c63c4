import { IconLock } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { useKeptKey } from '../keys/use-kept-keys.ts'
import styles from './sealed-links.module.css'

/** Marks an encrypted bundle, and shows whether this browser can open it. */
export function SealedMark({ bundleId }: { bundleId: string }) {
  const { t } = useT()
  const kept = useKeptKey(bundleId)
  const parts = [t('common.sealed.label')]
  if (kept !== null) parts.push(t(kept ? 'sealing.canOpen' : 'sealing.cannotOpen'))
  return (
    <span className={styles.mark}>
      <IconLock size={16} aria-hidden /> {parts.join(' · ')}
    </span>
  )
}
