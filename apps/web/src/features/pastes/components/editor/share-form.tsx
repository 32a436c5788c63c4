import { useHomeBundles } from '../../../../domains/bundles/home-bundles.ts'
import { SealSwitch } from '../../../../domains/sealed/policy/seal-switch.tsx'
import type { SealingChoice } from '../../../../domains/sealed/policy/use-sealing.ts'
import { ShareOptionFields } from '../../../../domains/shares/fields/share-fields.tsx'
import type { ShareOptions } from '../../../../domains/shares/share-options.ts'
import styles from './share-form.module.css'

interface ShareFormFieldsProps {
  id: string
  options: ShareOptions
  onChange: (options: ShareOptions) => void
  slugError: string | null
  sealing: SealingChoice
}

/** The unfolded options of the share on the home page. */
export function ShareFormFields({ id, options, onChange, slugError, sealing }: ShareFormFieldsProps) {
  const begun = useHomeBundles().isOpenSealed
  return (
    <div id={id} className={styles.fields}>
      <ShareOptionFields
        options={options}
        slugError={slugError}
        isSealed={begun ?? sealing.isOn}
        onChange={onChange}
      />
      <SealSwitch sealing={sealing} begun={begun} />
    </div>
  )
}
