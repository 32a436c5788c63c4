import { TextInput } from '@mantine/core'
import { useT } from '../../../i18n/use-translation.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { isPinValid, openingOf, type ShareOptions } from '../share-options.ts'

const PIN_MAX_LENGTH = 8

interface OpeningFieldProps {
  options: ShareOptions
  isSealed: boolean
  onChange: (changed: Pick<ShareOptions, 'opening'> & { readonly maxViews?: string }) => void
  disabled: boolean
}

/** Selects how a new share opens. */
export function OpeningField({ options, isSealed, onChange, disabled }: OpeningFieldProps) {
  const { t } = useT()
  const value = options.opening === 'burn' ? 'burn' : openingOf(options)
  return (
    <SelectField
      label={t('common.opening.label')}
      description={t(value === 'direct' && isSealed ? 'common.sealed.direct' : `common.opening.${value}Hint`)}
      value={value}
      disabled={disabled}
      options={[
        ...(options.pin === '' ? [{ value: 'direct', label: t('common.opening.direct') } as const] : []),
        { value: 'ask', label: t('common.opening.ask') },
        { value: 'burn', label: t('common.opening.burn') },
      ]}
      onChange={(opening) => onChange({ opening, ...(opening === 'burn' && { maxViews: '1' }) })}
    />
  )
}

interface PinFieldProps {
  value: string
  onChange: (pin: string) => void
  label?: string
  disabled?: boolean
  isRequired?: boolean
}

export function PinField({ value, onChange, label, disabled = false, isRequired = false }: PinFieldProps) {
  const { t } = useT()
  const isWrong = !isPinValid(value)
  return (
    <TextInput
      label={label ?? t('common.pin.label')}
      description={isWrong ? null : t('common.pin.hint')}
      inputMode="numeric"
      autoComplete="off"
      maxLength={PIN_MAX_LENGTH}
      required={isRequired}
      withAsterisk={false}
      value={value}
      disabled={disabled}
      error={isWrong ? t('common.pin.invalid') : null}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  )
}
