import type { PasteDetail } from '@dropleaf/contract'
import { useT } from '../../../../i18n/use-translation.ts'
import {
  ExpiryChangeField,
  PasswordChangeFields,
} from '../../../../domains/shares/fields/share-change-fields.tsx'
import { chooseOpening, limitViews } from '../../../../domains/shares/opening-edit.ts'
import { OpeningChangeFields } from '../../../../domains/shares/fields/opening-change-fields.tsx'
import { MaxViewsField, RemarkField, SlugField } from '../../../../domains/shares/fields/share-fields.tsx'
import { type EditFields, openingAfter } from './edit-model.ts'
import { OptionsForm, type OptionsFormProps } from './options-form.tsx'
import styles from './paste-editor.module.css'

interface EditFieldsFormProps extends OptionsFormProps {
  detail: PasteDetail
  fields: EditFields
  slugError: string | null
  onChange: (fields: EditFields) => void
}

export function EditFieldsForm(props: EditFieldsFormProps) {
  const { detail, fields, slugError, onChange, id, onSubmit } = props
  const { t } = useT()
  return (
    <OptionsForm id={id} className={styles.fields} onSubmit={onSubmit}>
      <RemarkField value={fields.remark} onChange={(remark) => onChange({ ...fields, remark })} />
      <SlugField
        value={fields.slug}
        hint={t('common.slug.newHint')}
        error={slugError}
        onChange={(slug) => onChange({ ...fields, slug })}
      />
      <ExpiryChangeField
        value={fields.expiry}
        expiresAt={detail.expires_at}
        onChange={(expiry) => onChange({ ...fields, expiry })}
      />
      <MaxViewsField
        value={fields.maxViews}
        onChange={(maxViews) => onChange({ ...fields, ...limitViews(fields, maxViews) })}
      />
      <PasswordChangeFields
        change={fields.passwordChange}
        password={fields.password}
        hasPassword={Boolean(detail.has_password)}
        hint=""
        onChange={(passwordChange) => onChange({ ...fields, passwordChange })}
        onPassword={(password) => onChange({ ...fields, password })}
      />
      <OpeningChangeFields
        opening={fields.opening === 'burn' ? 'burn' : openingAfter(detail, fields)}
        pinChange={fields.pinChange}
        pin={fields.pin}
        hasPin={detail.has_pin}
        onOpening={(opening) => onChange({ ...fields, ...chooseOpening(opening) })}
        onPinChange={(pinChange) => onChange({ ...fields, pinChange })}
        onPin={(pin) => onChange({ ...fields, pin })}
      />
    </OptionsForm>
  )
}
