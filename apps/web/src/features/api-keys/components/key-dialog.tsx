import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { apiKeyQueries } from '../../../domains/api/api-key-queries.ts'
import { copyText } from '../../../lib/browser/clipboard.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { useLiveForm } from '../../../ui/forms/live-form.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { useSaving } from '../../../domains/session/components/use-saving.ts'
import { type ApiKey, createKey, updateKey } from '../api/api-keys.api.ts'
import {
  CUSTOM_DAYS_MAX,
  EXPIRY_CHOICES,
  findKeyProblems,
  hasRights,
  inputOf,
  isGuessable,
  type KeyInput,
  NEW_KEY,
  rightsOf,
} from '../models/key-form.ts'
import { neverExpires } from '../models/key-table.ts'
import styles from './api-keys.module.css'
import { BasePathField, type RenderFolders } from './base-path-field.tsx'

const FIELD_OF_CODE = {
  'api_key.name_taken': 'name',
  'api_key.key_taken': 'customKey',
  'api_key.invalid_path': 'basicPath',
} as const

function useKeyForm(edited: ApiKey | null) {
  const { t } = useT()
  return useLiveForm<KeyInput>({
    initial: edited ? inputOf(edited) : NEW_KEY,
    findProblems: (input) => {
      const found = findKeyProblems(input)
      return {
        name: found.name && t(`keys.problems.name.${found.name}`),
        customKey: found.customKey && t(`keys.problems.key.${found.customKey}`),
        customDays: found.customDays && t('keys.problems.days', { max: CUSTOM_DAYS_MAX }),
        // Only a new key must have a right. An existing key can have no rights temporarily.
        text: edited === null && !hasRights(input) && t('keys.noneChosen'),
        basicPath: found.basicPath && t(`keys.problems.path.${found.basicPath}`),
      }
    },
  })
}
type KeyForm = ReturnType<typeof useKeyForm>

interface KeyDialogProps {
  renderFolders: RenderFolders
  /** `null` to create a key. */
  edited: ApiKey | null
  onClose: () => void
}

export function KeyDialog({ edited, renderFolders, onClose }: KeyDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const form = useKeyForm(edited)
  const saving = useSaving({
    form,
    fieldOfCode: FIELD_OF_CODE,
    save: async (input) => {
      const rights = rightsOf(input)
      if (edited) {
        await updateKey(edited.id, rights)
        return null
      }
      return createKey(rights, input.customKey)
    },
    onSaved: async (key) => {
      await queryClient.invalidateQueries(apiKeyQueries.all())
      onClose()
      if (key === null) notify('success', t('keys.saved'))
      else notify('success', t((await copyText(key)) ? 'keys.createdAndCopied' : 'keys.createdNotice'))
    },
  })
  return (
    <FormDialog
      title={t(edited ? 'keys.editTitle' : 'keys.createTitle')}
      submitLabel={t(edited ? 'common.save' : 'keys.create')}
      onClose={onClose}
      {...saving}
    >
      <TextInput
        label={t('keys.name')}
        description={t('keys.nameHint')}
        autoComplete="off"
        data-autofocus
        {...form.text('name')}
      />
      {!edited && (
        <TextInput
          label={t('keys.customKey')}
          description={t(isGuessable(form.values.customKey) ? 'keys.customKeyShort' : 'keys.customKeyHint')}
          autoComplete="off"
          spellCheck={false}
          {...form.text('customKey')}
        />
      )}
      <ExpiryFields form={form} edited={edited} />
      <PermissionFields form={form} />
      {form.values.mount && <BasePathField field={form.text('basicPath')} renderFolders={renderFolders} />}
    </FormDialog>
  )
}

function ExpiryFields({ form, edited }: { form: KeyForm; edited: ApiKey | null }) {
  const { t, language } = useT()
  const kept = edited && [
    {
      value: 'keep',
      label: neverExpires(edited)
        ? t('keys.keepNever')
        : t('keys.keepUntil', { date: formatDateTime(edited.expires_at, language) }),
    } as const,
  ]
  return (
    <>
      <SelectField
        label={t('keys.expires')}
        value={form.values.expiry}
        options={[
          ...(kept ?? []),
          ...EXPIRY_CHOICES.map((value) => ({ value, label: t(`keys.expiry.${value}`) })),
        ]}
        onChange={(expiry) => form.set('expiry', expiry)}
      />
      {form.values.expiry === 'custom' && (
        <TextInput
          label={t('keys.customDays')}
          inputMode="numeric"
          maxLength={10}
          {...form.text('customDays')}
        />
      )}
    </>
  )
}

function PermissionFields({ form }: { form: KeyForm }) {
  const { t } = useT()
  const error = form.errorOf('text')
  const hintId = useId()
  const box = (field: 'text' | 'file' | 'mount' | 'isReadOnly', label: string, isInner = false) => (
    <label className={isInner ? styles.innerBox : styles.box}>
      <input
        type="checkbox"
        data-path={field}
        checked={form.values[field]}
        aria-invalid={(Boolean(error) && !isInner) || undefined}
        aria-describedby={error ? hintId : undefined}
        onChange={(event) => form.setAll({ [field]: event.currentTarget.checked })}
      />
      {label}
    </label>
  )
  return (
    <fieldset className={styles.permissions}>
      <legend>{t('keys.permissions')}</legend>
      {box('text', t('keys.text'))}
      {box('file', t('keys.file'))}
      {box('mount', t('keys.mount'))}
      {form.values.mount && box('isReadOnly', t('keys.readOnly'), true)}
      {!hasRights(form.values) && (
        <output id={hintId} className={error ? styles.wrong : styles.hint}>
          {t('keys.noneChosen')}
        </output>
      )}
    </fieldset>
  )
}
