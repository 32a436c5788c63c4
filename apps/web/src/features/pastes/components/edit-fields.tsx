import type { PasteDetail } from '@dropleaf/contract'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { EXPIRY_HOURS, EXPIRY_WORDS } from '../../../lib/share-options.ts'
import { SelectField } from '../../../ui/select-field.tsx'
import {
  MaxViewsField,
  RemarkField,
  SharePasswordField,
  SlugField,
} from '../../../ui/share-fields/share-fields.tsx'
import type { EditFields, ExpiryChange, PasswordChange } from './edit-model.ts'
import styles from './paste-editor.module.css'

interface EditFieldsFormProps {
  detail: PasteDetail
  fields: EditFields
  slugError: string | null
  onChange: (fields: EditFields) => void
}

export function EditFieldsForm({ detail, fields, slugError, onChange }: EditFieldsFormProps) {
  const { t } = useT()
  return (
    <div className={styles.fields}>
      <RemarkField value={fields.remark} onChange={(remark) => onChange({ ...fields, remark })} />
      <SlugField
        value={fields.slug}
        hint={t('paste.editing.slugHint')}
        error={slugError}
        onChange={(slug) => onChange({ ...fields, slug })}
      />
      <ExpiryChoice detail={detail} fields={fields} onChange={onChange} />
      <MaxViewsField value={fields.maxViews} onChange={(maxViews) => onChange({ ...fields, maxViews })} />
      <PasswordChoice detail={detail} fields={fields} onChange={onChange} />
      {fields.passwordChange === 'set' && (
        <SharePasswordField
          label={t('paste.editing.newPassword')}
          hint=""
          value={fields.password}
          onChange={(password) => onChange({ ...fields, password })}
        />
      )}
    </div>
  )
}

type ChoiceProps = Omit<EditFieldsFormProps, 'slugError'>

function ExpiryChoice({ detail, fields, onChange }: ChoiceProps) {
  const { t, language } = useT()
  const kept =
    detail.expires_at === null
      ? t('paste.editing.keepNever')
      : t('paste.editing.keepExpiry', { date: formatDateTime(detail.expires_at, language) })
  const options = [
    { value: 'keep', label: kept },
    ...EXPIRY_HOURS.map((hours) => ({ value: String(hours), label: t(EXPIRY_WORDS[hours]) })),
  ]
  return (
    <SelectField
      label={t('common.expiry.label')}
      description={t('paste.editing.expiryHint')}
      value={String(fields.expiry)}
      options={options}
      onChange={(value) =>
        onChange({ ...fields, expiry: (value === 'keep' ? value : Number(value)) as ExpiryChange })
      }
    />
  )
}

function PasswordChoice({ detail, fields, onChange }: ChoiceProps) {
  const { t } = useT()
  const hasPassword = Boolean(detail.has_password)
  const options: { value: PasswordChange; label: string }[] = [
    { value: 'keep', label: hasPassword ? t('paste.editing.keepPassword') : t('paste.editing.noPassword') },
    { value: 'set', label: t('paste.editing.setPassword') },
  ]
  if (hasPassword) options.push({ value: 'remove', label: t('paste.editing.removePassword') })
  return (
    <SelectField
      label={t('paste.editing.passwordMode')}
      value={fields.passwordChange}
      options={options}
      onChange={(passwordChange) => onChange({ ...fields, passwordChange })}
    />
  )
}
