import { useT } from '../i18n/use-translation.ts'
import { SkeletonLines } from '../ui/feedback/skeleton.tsx'

export function PagePending() {
  const { t } = useT()
  return <SkeletonLines label={t('common.loading')} />
}
