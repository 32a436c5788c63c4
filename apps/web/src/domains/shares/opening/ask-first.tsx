import { lazy, Suspense } from 'react'
import { loadWords } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import type { OpeningPageProps } from './opening-page.tsx'

const Page = lazy(async () => {
  const [{ OpeningPage }] = await Promise.all([import('./opening-page.tsx'), loadWords('opening')])
  return { default: OpeningPage }
})

/**
 * Whether to show the page that opens the share. This includes a used-up share, because the device that opened the
 * share can open it again.
 */
export const mayAsk = (error: unknown): boolean =>
  hasCode(error, 'share.ask_first', 'paste.used_up', 'file.used_up', 'bundle.used_up')

/** The page of a share that requires confirmation. */
export function AskFirst(props: OpeningPageProps) {
  const { t } = useT()
  return (
    <Suspense fallback={<SkeletonLines label={t('common.loading')} />}>
      <Page {...props} />
    </Suspense>
  )
}
