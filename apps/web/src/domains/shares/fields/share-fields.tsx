import { MAX_VIEWS_LIMIT, REMARK_MAX_LENGTH } from '@dropleaf/contract'
import { TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import type { ExpiryHours, ShareOptions } from '../share-options.ts'
import { EXPIRY_HOURS, EXPIRY_WORDS, parseMaxViews, slugProblem } from '../share-options.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { OpeningField, PinField } from './opening-fields.tsx'
import { SharePasswordField } from './share-password-field.tsx'

/** Fields for the options that all kinds of shares have in common. */

interface TextFieldProps {
  value: string
  onChange: (value: string) => void
  disabled?: boolean
}

export function RemarkField({
  value,
  onChange,
  disabled = false,
  label,
  hint,
}: TextFieldProps & { label?: string; hint?: string | undefined }) {
  const { t } = useT()
  return (
    <TextInput
      label={label ?? t('common.remark.label')}
      description={hint ?? t('common.remark.hint')}
      maxLength={REMARK_MAX_LENGTH}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface SlugFieldProps extends TextFieldProps {
  hint?: string | undefined
  /** Error from the server. When it is set, the field receives the focus. */
  error?: string | null
}

/** Field for a slug, validated while typing. */
export function SlugField({ value, onChange, disabled = false, hint, error = null }: SlugFieldProps) {
  const { t } = useT()
  const problem = slugProblem(value)
  const field = useRef<HTMLInputElement>(null)
  const [isHere, setHere] = useState(false)
  const [refusal, setRefusal] = useState({ error, isSpoken: false })
  // A field that receives the focus announces its error. If the field already has the focus, a live region announces
  // the error.
  if (refusal.error !== error) setRefusal({ error, isSpoken: isHere })
  useEffect(() => {
    if (error !== null) field.current?.focus()
  }, [error])
  return (
    <TextInput
      ref={field}
      label={t('common.slug.label')}
      description={problem || error ? null : (hint ?? t('common.slug.hint'))}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={value}
      disabled={disabled}
      error={problem ? t(`common.slug.${problem}`) : error}
      errorProps={{ role: !problem && refusal.isSpoken ? 'alert' : undefined }}
      onFocus={() => setHere(true)}
      onBlur={() => setHere(false)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ExpiryFieldProps {
  value: ExpiryHours
  onChange: (value: ExpiryHours) => void
  disabled?: boolean
}

function ExpiryField({ value, onChange, disabled = false }: ExpiryFieldProps) {
  const { t } = useT()
  return (
    <SelectField
      label={t('common.expiry.label')}
      value={String(value)}
      disabled={disabled}
      options={EXPIRY_HOURS.map((hours) => ({ value: String(hours), label: t(EXPIRY_WORDS[hours]) }))}
      onChange={(hours) => onChange(Number(hours) as ExpiryHours)}
    />
  )
}

export function MaxViewsField({ value, onChange, disabled = false }: TextFieldProps) {
  const { t } = useT()
  const isValid = parseMaxViews(value) !== null
  return (
    <TextInput
      label={t('common.maxViews.label')}
      description={isValid ? t('common.maxViews.hint') : null}
      inputMode="numeric"
      autoComplete="off"
      value={value}
      disabled={disabled}
      error={isValid ? null : t('common.maxViews.invalid', { max: MAX_VIEWS_LIMIT })}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ShareOptionFieldsProps {
  options: ShareOptions
  onChange: (options: ShareOptions) => void
  /** Label and hint of the title; by default those of a text. */
  remarkLabel?: string
  remarkHint?: string
  slugHint?: string | undefined
  /** Whether the share will be end-to-end encrypted. */
  isSealed?: boolean
  /** Error from the server that concerns the slug. */
  slugError?: string | null
  disabled?: boolean
}

/** All options of a new share, as grid cells. */
export function ShareOptionFields(props: ShareOptionFieldsProps) {
  const { options, remarkLabel, remarkHint, slugHint, slugError = null } = props
  const { isSealed = false, disabled = false } = props
  const { t } = useT()
  const change = (changed: Partial<ShareOptions>) => props.onChange({ ...options, ...changed })
  return (
    <>
      <RemarkField
        value={options.remark}
        {...(remarkLabel !== undefined && { label: remarkLabel })}
        hint={remarkHint}
        disabled={disabled}
        onChange={(remark) => change({ remark })}
      />
      <SlugField
        value={options.slug}
        hint={slugHint}
        error={slugError}
        disabled={disabled}
        onChange={(slug) => change({ slug })}
      />
      <SharePasswordField
        value={options.password}
        {...(isSealed && { hint: t('common.sealed.password') })}
        disabled={disabled}
        onChange={(password) => change({ password })}
      />
      <ExpiryField
        value={options.expiryHours}
        disabled={disabled}
        onChange={(expiryHours) => change({ expiryHours })}
      />
      <MaxViewsField
        value={options.maxViews}
        disabled={disabled || options.opening === 'burn'}
        onChange={(maxViews) => change({ maxViews })}
      />
      <OpeningField options={options} isSealed={isSealed} disabled={disabled} onChange={change} />
      <PinField value={options.pin} disabled={disabled} onChange={(pin) => change({ pin })} />
    </>
  )
}
