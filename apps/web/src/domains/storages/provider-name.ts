import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { useT } from '../../i18n/use-translation.ts'

/** What kinds of storages are called: companies by the name that they have in the language. */
export function useProviderName(): (providerType: string) => string {
  const { t } = useT()
  return (providerType) => {
    if (providerType === LOCAL_DISK_PROVIDER) return t('common.localDisk')
    if (providerType === 'Aliyun OSS') return t('common.aliyunOss')
    return providerType === 'Other' ? t('storages.providers.other') : providerType
  }
}
