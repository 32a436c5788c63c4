import { type ComponentType, lazy, Suspense } from 'react'
import { loadWords } from '../../lib/i18n/i18n.ts'

const LONGEST_WAIT_MS = 5000
const REST_MS = 1000

/** The page has loaded, and has nothing to do for a moment. */
async function pageIsIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
  await new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(resolve, { timeout: LONGEST_WAIT_MS })
    else setTimeout(resolve, REST_MS)
  })
}

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
