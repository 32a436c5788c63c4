import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { useT } from './i18n/use-translation.ts'

/** What kinds of storages are called; names of companies are the same in every language. */
export function useProviderName(): (providerType: string) => string {
  const { t } = useT()
  return (providerType) => {
    if (providerType === LOCAL_DISK_PROVIDER) return t('common.localDisk')
    return providerType === 'Other' ? t('storages.providers.other') : providerType
  }
}
