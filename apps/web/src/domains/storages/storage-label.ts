import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { useT } from '../../i18n/use-translation.ts'
import { useProviderName } from './provider-name.ts'

interface NamedStorage {
  readonly name: string
  readonly provider_type: string
}

/**
 * Returns a function that labels storages in a list. A bucket is labelled with its name and provider, a disk with its
 * name only.
 */
export function useStorageLabel(): (storage: NamedStorage) => string {
  const { t } = useT()
  const nameOf = useProviderName()
  return ({ name, provider_type: provider }) => {
    if (provider === LOCAL_DISK_PROVIDER || provider === name) return name
    return t('common.nameAndKind', { name, kind: provider === 'Other' ? 'S3' : nameOf(provider) })
  }
}
