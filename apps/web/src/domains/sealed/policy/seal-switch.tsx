import { useT } from '../../../i18n/use-translation.ts'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { paths } from '../../../lib/paths.ts'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import type { SealingChoice } from './use-sealing.ts'

interface SealSwitchProps {
  sealing: SealingChoice
  /**
   * Whether the unfinished share is encrypted. This can no longer be changed. `null` if there is no unfinished
   * share.
   */
  begun?: boolean | null
  disabled?: boolean
}

/**
 * Lets the user choose between unencrypted and end-to-end encrypted shares. Shows nothing if the administrator does not
 * allow encrypted shares.
 */
export function SealSwitch({ sealing, begun = null, disabled = false }: SealSwitchProps) {
  const { t } = useT()
  const { isShown, isOn, reason, choose } = sealing
  if (!isShown) return null
  const why = reason ?? 'hint'
  return (
    <CheckField
      label={t('common.sealed.label')}
      hint={
        <>
          {t(`sealing.switch.${begun === null ? why : 'begun'}`)}{' '}
          <a href={hrefOf(paths.encryption)} target="_blank" rel="noopener">
            {t('sealing.switch.about')}
          </a>
        </>
      }
      isChecked={begun ?? isOn}
      isDisabled={disabled || reason !== null || begun !== null}
      onChange={choose}
    />
  )
}
