import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { useT } from '../../i18n/use-translation.ts'

/** Returns a function that names storage providers. A company has the name that it uses in the user's language. */
export function useProviderName(): (providerType: string) => string {
  const { t } = useT()
  return (providerType) => {
    if (providerType === LOCAL_DISK_PROVIDER) return t('common.localDisk')
    if (providerType === 'Aliyun OSS') return t('common.aliyunOss')
    return providerType === 'Other' ? t('storages.providers.other') : providerType
  }
}
