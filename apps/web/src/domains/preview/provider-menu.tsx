import { useT } from '../../i18n/use-translation.ts'
import styles from './file-preview.module.css'
import type { PreviewProvider, ProviderName } from './providers.ts'
import { SmallSelect } from './small-select.tsx'

interface ProviderMenuProps {
  providers: readonly PreviewProvider[]
  chosen: ProviderName
  onChoose: (name: ProviderName) => void
}

/** Menu to show the file in another preview. */
export function ProviderMenu({ providers, chosen, onChoose }: ProviderMenuProps) {
  const { t } = useT()
  return (
    <div className={styles.switch}>
      <SmallSelect
        label={t('viewer.showAs')}
        hasCaption
        value={chosen}
        options={providers.map(({ name }) => ({ value: name, label: t(`viewer.provider.${name}`) }))}
        onChange={(name) => onChoose(name as ProviderName)}
      />
    </div>
  )
}
