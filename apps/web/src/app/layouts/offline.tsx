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
    // Without a line on a first visit there is nothing to keep the app with.
    return { default: () => null }
  }
})

/** The app without a line, and as an installed app. No first visit waits for it. */
export const Offline = () => (
  <Suspense fallback={null}>
    <Parts />
  </Suspense>
)
