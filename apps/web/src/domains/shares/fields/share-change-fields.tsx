import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { ExpiryChange, PasswordChange } from '../share-options.ts'
import { EXPIRY_HOURS, EXPIRY_WORDS } from '../share-options.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { SharePasswordField } from './share-password-field.tsx'

/** Fields with which an owner changes a share. Each field has an option that keeps the current value. */

interface ExpiryChangeFieldProps {
  value: ExpiryChange
  /** Current expiry; `null` means never. */
  expiresAt: string | null
  onChange: (value: ExpiryChange) => void
}

export function ExpiryChangeField({ value, expiresAt, onChange }: ExpiryChangeFieldProps) {
  const { t, language } = useT()
  const kept =
    expiresAt === null
      ? t('common.expiry.keepNever')
      : t('common.expiry.keep', { date: formatDateTime(expiresAt, language) })
  return (
    <SelectField
      label={t('common.expiry.label')}
      description={t('common.expiry.changeHint')}
      value={String(value)}
      options={[
        { value: 'keep', label: kept },
        ...EXPIRY_HOURS.map((hours) => ({ value: String(hours), label: t(EXPIRY_WORDS[hours]) })),
      ]}
      onChange={(chosen) => onChange((chosen === 'keep' ? chosen : Number(chosen)) as ExpiryChange)}
    />
  )
}

interface PasswordChangeFieldsProps {
  change: PasswordChange
  /** New password, as typed. */
  password: string
  hasPassword: boolean
  hint: string
  onChange: (change: PasswordChange) => void
  onPassword: (password: string) => void
}

export function PasswordChangeFields(props: PasswordChangeFieldsProps) {
  const { t } = useT()
  const { change, hasPassword } = props
  return (
    <>
      <SelectField
        label={t('common.password.change')}
        value={change}
        options={[
          { value: 'keep', label: t(hasPassword ? 'common.password.keep' : 'common.password.none') },
          { value: 'set', label: t('common.password.set') },
          ...(hasPassword ? [{ value: 'remove', label: t('common.password.remove') } as const] : []),
        ]}
        onChange={props.onChange}
      />
      {change === 'set' && (
        <SharePasswordField
          label={t('common.password.new')}
          hint={props.hint}
          value={props.password}
          isRequired
          onChange={props.onPassword}
        />
      )}
    </>
  )
}
