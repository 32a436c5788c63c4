import { useQuery } from '@tanstack/react-query'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { isCut } from './find-truncation.ts'
import type { PreviewSource } from '../preview-source.ts'

/** Notice shown above an incomplete file. */
export function TruncationNotice({ source }: { source: PreviewSource }) {
  const { t } = useT()
  const found = useQuery({
    queryKey: ['preview', source.textUrl, 'cut'],
    queryFn: ({ signal }) => isCut(source, signal),
    staleTime: Infinity,
    retry: false,
    meta: { isPrivate: true },
  })
  return found.data === true ? <Banner tone="warning">{t('viewer.incomplete')}</Banner> : null
}
