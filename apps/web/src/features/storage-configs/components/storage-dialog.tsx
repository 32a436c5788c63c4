import type { StorageConfig } from '@dropleaf/contract'
import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { formatSpan } from '../../../lib/format.ts'
import { withoutSameName } from '../../../domains/storages/display-name.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useProviderName } from '../../../domains/storages/provider-name.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { useLiveForm } from '../../../ui/forms/live-form.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { useSaving } from '../../../domains/session/components/use-saving.ts'
import { createStorage, updateStorage } from '../api/storage-configs.api.ts'
import { CAPACITY_UNITS } from '../models/capacity.ts'
import { changesFor, PROVIDERS } from '../models/providers.ts'
import {
  fieldsOfStorage,
  findStorageProblems,
  inputOfStorage,
  isDisk,
  NEW_STORAGE,
  parseSeconds,
  type StorageInput,
} from '../models/storage-form.ts'
import styles from './storages.module.css'

const FIELD_OF_CODE = {
  'storage.endpoint_invalid': 'endpoint',
  'storage.bucket_invalid': 'bucket',
  'storage.folder_invalid': 'bucket',
  'storage.folder_taken': 'bucket',
  'storage.credentials_missing': 'accessKeyId',
  'storage.custom_host_invalid': 'customHost',
  'storage.default_folder_invalid': 'folder',
} as const

function useStorageForm(edited: StorageConfig | null) {
  const { t } = useT()
  return useLiveForm<StorageInput>({
    initial: edited ? inputOfStorage(edited) : NEW_STORAGE,
    findProblems: (input) => {
      const found = findStorageProblems(input, edited)
      return {
        name: found.name && t(`storages.problems.name.${found.name}`),
        endpoint: found.endpoint && t(`storages.problems.endpoint.${found.endpoint}`),
        bucket: found.bucket && t(`storages.problems.bucket.${found.bucket}`),
        accessKeyId: found.accessKeyId && t('storages.problems.accessKeyId.missing'),
        secretAccessKey: found.secretAccessKey && t('storages.problems.secretAccessKey.missing'),
        amount: found.amount && t(`storages.problems.amount.${found.amount}`),
        folder: found.folder && t(`storages.problems.folder.${found.folder}`),
        customHost: found.customHost && t(`storages.problems.customHost.${found.customHost}`),
        signatureSeconds:
          found.signatureSeconds && t(`storages.problems.signatureSeconds.${found.signatureSeconds}`),
      }
    },
  })
}
type StorageForm = ReturnType<typeof useStorageForm>

interface StorageDialogProps {
  /** `null` to create a storage. */
  edited: StorageConfig | null
  /** @param id id of a new storage; `null` after an edit */
  onSaved: (id: string | null) => void
  onClose: () => void
}

export function StorageDialog({ edited, onSaved, onClose }: StorageDialogProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const form = useStorageForm(edited)
  const saving = useSaving({
    form,
    fieldOfCode: FIELD_OF_CODE,
    save: async (input) => {
      const fields = fieldsOfStorage(input)
      if (!edited) return (await createStorage(fields)).data.id
      await updateStorage(edited.id, withoutSameName(fields, edited.name))
      return null
    },
    onSaved: async (id) => {
      await queryClient.invalidateQueries({ queryKey: storageQueries.all().queryKey })
      onSaved(id)
    },
  })
  return (
    <FormDialog
      title={t(edited ? 'storages.editTitle' : 'storages.createTitle')}
      submitLabel={t(edited ? 'common.save' : 'storages.create')}
      isWide
      onClose={onClose}
      {...saving}
    >
      <PlaceFields form={form} edited={edited} />
      <LimitFields form={form} />
    </FormDialog>
  )
}

function useProviders(current: string) {
  const nameOf = useProviderName()
  const names: readonly string[] = PROVIDERS
  return [...new Set([...names, current])].map((value) => ({ value, label: nameOf(value) }))
}

/** Fields for the location and the credentials. */
function PlaceFields({ form, edited }: { form: StorageForm; edited: StorageConfig | null }) {
  const { t } = useT()
  const onDisk = isDisk(form.values.provider)
  const providers = useProviders(form.values.provider)
  const keysHint = t(edited && !isDisk(edited.provider_type) ? 'storages.keepKeys' : 'storages.keysHint')
  return (
    <>
      <div className={styles.columns}>
        <TextInput label={t('storages.name')} autoComplete="off" data-autofocus {...form.text('name')} />
        <SelectField
          label={t('storages.provider')}
          value={form.values.provider}
          options={providers}
          onChange={(provider) => form.setAll({ ...changesFor(form.values, provider) })}
        />
      </div>
      {!onDisk && (
        <TextInput
          label={t('storages.endpoint')}
          description={t('storages.endpointHint')}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.text('endpoint')}
        />
      )}
      <div className={styles.columns}>
        <TextInput
          label={t(onDisk ? 'storages.diskFolder' : 'storages.bucket')}
          description={onDisk ? t('storages.diskFolderHint') : undefined}
          autoComplete="off"
          spellCheck={false}
          {...form.text('bucket')}
        />
        {!onDisk && (
          <TextInput
            label={t('storages.region')}
            description={t('storages.regionHint')}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            {...form.text('region')}
          />
        )}
      </div>
      {!onDisk && (
        <>
          <div className={styles.columns}>
            <TextInput
              label={t('storages.accessKeyId')}
              description={keysHint}
              autoComplete="off"
              spellCheck={false}
              maxLength={1024}
              {...form.text('accessKeyId')}
            />
            <PasswordField
              label={t('storages.secretAccessKey')}
              description={keysHint}
              autoComplete="new-password"
              maxLength={1024}
              {...form.text('secretAccessKey')}
            />
          </div>
          <CheckField
            label={t('storages.pathStyle')}
            hint={t('storages.pathStyleHint')}
            isChecked={form.values.pathStyle}
            onChange={(isChecked) => form.set('pathStyle', isChecked)}
          />
        </>
      )}
    </>
  )
}

/** Fields for limits and options. */
function LimitFields({ form }: { form: StorageForm }) {
  const { t, language } = useT()
  const seconds = parseSeconds(form.values.signatureSeconds) ?? 0
  const isEven = seconds >= 120 && seconds % (seconds < 7200 ? 60 : 3600) === 0
  const onDisk = isDisk(form.values.provider)
  return (
    <>
      <div className={styles.columns}>
        <div className={styles.amount}>
          <TextInput
            label={t('storages.capacity')}
            description={t(onDisk ? 'storages.diskCapacityHint' : 'storages.capacityHint')}
            inputMode="decimal"
            maxLength={20}
            {...form.text('amount')}
          />
          <SelectField
            label={t('storages.unit')}
            value={form.values.unit}
            options={CAPACITY_UNITS.map((unit) => ({ value: unit, label: unit }))}
            onChange={(unit) => form.setAll({ unit })}
          />
        </div>
        <TextInput
          label={t('storages.signature')}
          description={
            isEven
              ? t('storages.signatureSpan', { span: formatSpan(seconds, language) })
              : t('storages.signatureHint')
          }
          inputMode="numeric"
          maxLength={10}
          {...form.text('signatureSeconds')}
        />
        <TextInput
          label={t('storages.folder')}
          description={t('storages.folderHint')}
          autoComplete="off"
          spellCheck={false}
          {...form.text('folder')}
        />
        {!onDisk && (
          <TextInput
            label={t('storages.customHost')}
            description={t('storages.customHostHint')}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            maxLength={2048}
            {...form.text('customHost')}
          />
        )}
      </div>
      <CheckField
        label={t('storages.isPublic')}
        hint={t('storages.isPublicHint')}
        isChecked={form.values.isPublic}
        onChange={(isChecked) => form.set('isPublic', isChecked)}
      />
    </>
  )
}
