import { PASSWORD_MAX_LENGTH } from '@dropleaf/contract'
import { ActionIcon, TextInput } from '@mantine/core'
import { IconCopy, IconEye, IconEyeOff, IconSparkles } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { generatePassword } from '../share-options.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'

interface SharePasswordFieldProps {
  value: string
  onChange: (value: string) => void
  label?: string
  hint?: string
  disabled?: boolean
  isRequired?: boolean
}

/** Field for the password of a share, with buttons to generate, show and copy it. */
export function SharePasswordField({
  value,
  onChange,
  label,
  hint,
  disabled = false,
  isRequired = false,
}: SharePasswordFieldProps) {
  const { t } = useT()
  const { copy } = useCopy()
  const [isShown, setShown] = useState(false)
  const [generated, setGenerated] = useState('')
  const [wasMissed, setMissed] = useState(false)
  const generate = () => {
    const password = generatePassword()
    onChange(password)
    setGenerated(password)
    setShown(true)
  }
  const Eye = isShown ? IconEyeOff : IconEye
  return (
    <TextInput
      label={label ?? t('common.password.label')}
      description={hint ?? t('common.password.hint')}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      maxLength={PASSWORD_MAX_LENGTH}
      required={isRequired}
      withAsterisk={false}
      error={isRequired && wasMissed && value === '' ? t('common.password.missing') : null}
      onInvalid={() => setMissed(true)}
      onBlur={() => setMissed(true)}
      value={value}
      disabled={disabled}
      rightSectionWidth={value === '' ? 38 : 98}
      rightSection={
        <>
          {value !== '' && (
            <>
              <FieldButton
                label={isShown ? t('common.hidePassword') : t('common.showPassword')}
                disabled={disabled}
                onClick={() => setShown(!isShown)}
              >
                <Eye size={18} aria-hidden />
              </FieldButton>
              <FieldButton
                label={t('common.password.copy')}
                disabled={disabled}
                onClick={() => void copy(value, t('common.copied'))}
              >
                <IconCopy size={18} aria-hidden />
              </FieldButton>
            </>
          )}
          {/* The button stays the same element before and after the click, so that it keeps the focus. */}
          <FieldButton label={t('common.password.generate')} disabled={disabled} onClick={generate}>
            <IconSparkles size={18} aria-hidden />
          </FieldButton>
          <output className="dl-sr">
            {generated === value && value !== '' && t('common.password.generated')}
          </output>
        </>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface FieldButtonProps {
  label: string
  disabled: boolean
  onClick: () => void
  children: ReactNode
}

function FieldButton({ label, disabled, onClick, children }: FieldButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={30}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  )
}
