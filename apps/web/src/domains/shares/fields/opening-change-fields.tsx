import type { Opening } from '@dropleaf/contract'
import { useT } from '../../../i18n/use-translation.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import type { PasswordChange } from '../share-options.ts'
import { PinField } from './opening-fields.tsx'

interface OpeningChangeFieldsProps {
  /** How the share opens after the change. */
  opening: Opening | 'burn'
  pinChange: PasswordChange
  /** New PIN, as typed. */
  pin: string
  hasPin: boolean
  onOpening: (opening: Opening | 'burn') => void
  onPinChange: (change: PasswordChange) => void
  onPin: (pin: string) => void
}

/** Selects how a share opens, for its owner. */
export function OpeningChangeFields(props: OpeningChangeFieldsProps) {
  const { t } = useT()
  const { opening, pinChange, hasPin } = props
  const willHavePin = pinChange === 'set' || (hasPin && pinChange === 'keep')
  return (
    <>
      <SelectField
        label={t('common.opening.label')}
        description={t(
          willHavePin && opening !== 'burn' ? 'common.opening.pinHint' : `common.opening.${opening}Hint`,
        )}
        value={opening}
        options={[
          ...(willHavePin ? [] : [{ value: 'direct', label: t('common.opening.direct') } as const]),
          { value: 'ask', label: t('common.opening.ask') },
          { value: 'burn', label: t('common.opening.burn') },
        ]}
        onChange={props.onOpening}
      />
      <SelectField
        label={t('common.pin.label')}
        value={pinChange}
        options={[
          { value: 'keep', label: t(hasPin ? 'common.pin.keep' : 'common.pin.none') },
          { value: 'set', label: t('common.pin.set') },
          ...(hasPin ? [{ value: 'remove', label: t('common.pin.remove') } as const] : []),
        ]}
        onChange={props.onPinChange}
      />
      {pinChange === 'set' && (
        <PinField label={t('common.pin.new')} value={props.pin} isRequired onChange={props.onPin} />
      )}
    </>
  )
}
