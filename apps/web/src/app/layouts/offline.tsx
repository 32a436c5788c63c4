import { type ComponentType, lazy, Suspense } from 'react'
import { loadWords } from '../../i18n/i18n.ts'
import { pageIsIdle } from './page-idle.ts'

const Parts = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    await pageIsIdle()
    await loadWords('offline')
    const { OfflineParts } = await import('../../features/offline/components/offline-parts.tsx')
    return { default: OfflineParts }
  } catch {
    // The chunk is not cached if the app goes offline during the first visit. The page works without the offline
    // features.
    return { default: () => null }
  }
})

/** The offline features, loaded after the first page. */
export const Offline = () => (
  <Suspense fallback={null}>
    <Parts />
  </Suspense>
)
