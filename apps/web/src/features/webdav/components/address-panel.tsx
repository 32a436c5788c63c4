import { useT } from '../../../i18n/use-translation.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { Panel } from '../../../ui/layout/panel.tsx'
import { addressOf } from '../models/drive-address.ts'
import { CopyLine } from './copy-line.tsx'
import styles from './drive.module.css'

/** A mount with its path on the drive. */
export interface DriveMount {
  readonly id: string
  readonly name: string
  readonly path: string
}

interface AddressPanelProps {
  origin: string
  mounts: readonly DriveMount[]
}

export function AddressPanel({ origin, mounts }: AddressPanelProps) {
  const { t } = useT()
  return (
    <Panel title={t('webdav.address.title')}>
      <p className={formStyles.text}>{t('webdav.address.text')}</p>
      <ul className={styles.addresses}>
        <li>
          <h3 className={styles.name}>{t('webdav.address.whole')}</h3>
          <CopyLine text={addressOf({ origin, path: '' })} what={t('webdav.address.ofWhole')} isBroken />
        </li>
        {mounts.map(({ id, name, path }) => (
          <li key={id}>
            <h3 className={styles.name} dir="auto">
              {name}
            </h3>
            <CopyLine text={addressOf({ origin, path })} what={t('webdav.address.of', { name })} isBroken />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
