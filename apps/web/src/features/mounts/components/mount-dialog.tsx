import { type Mount, SORT_ORDER_LIMIT, type StorageConfig } from '@dropleaf/contract'
import { Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { withoutSameName } from '../../../domains/storages/display-name.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useStorageLabel } from '../../../domains/storages/storage-label.ts'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { useLiveForm } from '../../../ui/forms/live-form.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { useSaving } from '../../../domains/session/components/use-saving.ts'
import { createMount, updateMount } from '../api/mounts.queries.ts'
import { afterMountChange } from '../api/after-mount-change.ts'
import {
  fieldsOfMount,
  findMountProblems,
  inputOfMount,
  type MountInput,
  newMount,
} from '../models/mount-form.ts'
import styles from './mounts.module.css'

const FIELD_OF_CODE = {
  'mount.path_invalid': 'path',
  'mount.path_reserved': 'path',
  'mount.path_taken': 'path',
  'mount.storage_unknown': 'configId',
} as const

interface MountDialogProps {
  /** `null` to create a mount. */
  edited: Mount | null
  storages: readonly StorageConfig[]
  /** Initial storage of a new mount; if absent, the default storage. */
  configId?: string
  onClose: () => void
}

function useMountForm({ edited, storages, configId }: Omit<MountDialogProps, 'onClose'>) {
  const { t } = useT()
  const chosen =
    storages.find(({ id }) => id === configId) ??
    storages.find((storage) => storage.is_default === 1) ??
    storages[0]
  return useLiveForm<MountInput>({
    initial: edited ? inputOfMount(edited) : newMount(chosen?.id ?? ''),
    findProblems: (input) => {
      const problems = findMountProblems(input)
      const segment = input.path.trim().split('/')[1] ?? ''
      return {
        name: problems.name && t(`mounts.problems.name.${problems.name}`),
        configId: problems.configId && t(`mounts.problems.configId.${problems.configId}`),
        path: problems.path && t(`mounts.problems.path.${problems.path}`, { segment }),
        remark: problems.remark && t(`mounts.problems.remark.${problems.remark}`),
        cacheTtl: problems.cacheTtl && t(`mounts.problems.cacheTtl.${problems.cacheTtl}`),
        sortOrder:
          problems.sortOrder &&
          t(`mounts.problems.sortOrder.${problems.sortOrder}`, { max: SORT_ORDER_LIMIT }),
      }
    },
  })
}

export function MountDialog({ onClose, ...props }: MountDialogProps) {
  const { edited, storages } = props
  const { t } = useT()
  const queryClient = useQueryClient()
  const labelOf = useStorageLabel()
  const form = useMountForm(props)
  const saving = useSaving<MountInput, unknown>({
    form,
    fieldOfCode: FIELD_OF_CODE,
    save: (input) =>
      edited
        ? updateMount(edited.id, withoutSameName(fieldsOfMount(input), edited.name))
        : createMount(fieldsOfMount(input)),
    onSaved: async () => {
      await afterMountChange(queryClient)
      onClose()
      notify('success', t(edited ? 'mounts.saved' : 'mounts.createdNotice'))
    },
  })
  return (
    <FormDialog
      title={t(edited ? 'mounts.editTitle' : 'mounts.createTitle')}
      submitLabel={t(edited ? 'common.save' : 'mounts.create')}
      onClose={onClose}
      {...saving}
    >
      <TextInput label={t('mounts.name')} autoComplete="off" data-autofocus {...form.text('name')} />
      <SelectField
        label={t('mounts.storage')}
        value={form.values.configId}
        error={form.errorOf('configId')}
        options={[
          ...(storages.some(({ id }) => id === form.values.configId)
            ? []
            : [{ value: form.values.configId, label: t('mounts.chooseStorage') }]),
          ...storages.map((storage) => ({ value: storage.id, label: labelOf(storage) })),
        ]}
        onChange={(id) => form.set('configId', id)}
      />
      <TextInput
        label={t('mounts.path')}
        description={t('mounts.pathHint')}
        autoComplete="off"
        spellCheck={false}
        {...form.text('path')}
      />
      <Textarea label={t('mounts.remark')} rows={2} {...form.text('remark')} />
      <div className={styles.pair}>
        <TextInput
          label={t('mounts.cacheTtl')}
          description={t('mounts.cacheTtlHint')}
          inputMode="numeric"
          maxLength={12}
          {...form.text('cacheTtl')}
        />
        <TextInput
          label={t('mounts.sortOrder')}
          description={t('mounts.sortOrderHint')}
          maxLength={12}
          {...form.text('sortOrder')}
        />
      </div>
      <CheckField
        label={t('mounts.isActive')}
        hint={t('mounts.isActiveHint')}
        isChecked={form.values.isActive}
        onChange={(isActive) => form.set('isActive', isActive)}
      />
    </FormDialog>
  )
}
