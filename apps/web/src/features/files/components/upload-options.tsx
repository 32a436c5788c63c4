import { FOLDER_MAX_LENGTH } from '@dropleaf/contract'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../i18n/use-translation.ts'
import { useStorageLabel } from '../../../domains/storages/storage-label.ts'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { ShareOptionFields } from '../../../domains/shares/fields/share-fields.tsx'
import { fileQueries } from '../api/files.queries.ts'
import { slugOf } from '../../../domains/transfers/uploads/share-uploads.ts'
import styles from './upload.module.css'
import { isTooLong, type UploadForm } from './use-upload-form.ts'

interface UploadOptionsProps {
  form: UploadForm
  /** Number of links. If there are several, each link suffix gets a number. */
  linkCount: number
  /** Whether all chosen files share one link. */
  isOne?: boolean
  isRefused: boolean
  /** Whether the shares are end-to-end encrypted. */
  isSealed?: boolean
  /** Error from the server that concerns the slug. */
  slugError?: string | null
  disabled?: boolean
}

export function UploadOptionsFields(props: UploadOptionsProps) {
  const {
    form,
    linkCount,
    isOne = false,
    isRefused,
    isSealed = false,
    slugError = null,
    disabled = false,
  } = props
  const { t } = useT()
  const labelOf = useStorageLabel()
  const { data: storages = [], isSuccess, isError } = useQuery(fileQueries.storages())
  const { options, setOptions, place, setPlace } = form
  const slug = options.slug.trim()
  const numbered =
    slug !== '' && linkCount > 1
      ? t('files.upload.slugNumbered', { first: slugOf(slug, 1), second: slugOf(slug, 2) })
      : undefined
  return (
    <div className={styles.fields}>
      <SelectField
        label={t('files.upload.storage')}
        value={form.configId ?? ''}
        disabled={disabled || storages.length === 0}
        options={
          storages.length === 0
            ? [
                {
                  value: '',
                  label: isSuccess
                    ? t('files.upload.noStorage')
                    : isError
                      ? t('files.upload.storagesUnknown')
                      : '',
                },
              ]
            : storages.map((storage) => ({ value: storage.id, label: labelOf(storage) }))
        }
        onChange={(configId) => setPlace({ ...place, configId })}
      />
      <TextInput
        label={t('files.upload.folder')}
        description={t('files.upload.folderHint')}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={FOLDER_MAX_LENGTH}
        value={place.folder}
        disabled={disabled}
        onChange={(event) => setPlace({ ...place, folder: event.currentTarget.value })}
      />
      <ShareOptionFields
        options={options}
        {...(isOne && { remarkLabel: t('bundling.places.name') })}
        remarkHint={t(isOne ? 'bundling.places.remarkHint' : 'files.upload.remarkHint')}
        slugHint={numbered}
        isSealed={isSealed}
        slugError={isRefused && isTooLong(slug, linkCount) ? t('common.slug.length') : slugError}
        disabled={disabled}
        onChange={setOptions}
      />
    </div>
  )
}
