import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { prepareFirstPage } from './app/first-page.ts'
import { Providers } from './app/providers.tsx'
import { createAppRouter } from './app/router.tsx'
import { revalidateSession } from './features/auth/api/auth.api.ts'
import { earlyFieldSettled } from './domains/editor/early-field.ts'
import { startI18n } from './i18n/i18n.ts'
import { catchInstallPrompt } from './domains/offline/install-prompt.ts'
import { leaveKeysToInputMethods } from './lib/keyboard/input-methods.ts'
import { nextTurn } from './lib/browser/scheduling.ts'
import { createQueryClient } from './domains/api/query-client.ts'
import { thisTab } from './lib/browser/tab-identity.ts'
import './ui/theme/mantine.css'
import './ui/theme/base.css'

/** Names of errors that the page itself shows: a damaged file, or an error from the server. */
const SAID = new Set(['PreviewError', 'ApiError'])

function onCaughtError(error: unknown): void {
  if (error instanceof Error && SAID.has(error.name)) return
  // oxlint-disable-next-line no-console -- unexpected errors are for developers
  console.error(error)
}

async function start() {
  leaveKeysToInputMethods()
  catchInstallPrompt()
  // From this call on, the tab responds to queries of other tabs, so that they do not restore its drafts.
  thisTab()
  // Yields to the browser after the chunk has been evaluated.
  await nextTurn()
  const router = createAppRouter()
  const queryClient = createQueryClient()
  // The page's chunk, texts and usually its data load before the first render, so that the page renders only once.
  await Promise.all([startI18n(), router.load(), prepareFirstPage(router, queryClient)])
  await earlyFieldSettled()
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root element.')
  // Renders in a transition, which does not block the page, because the user may already be reading the text.
  startTransition(() => {
    createRoot(root, { onCaughtError }).render(
      <StrictMode>
        <Providers queryClient={queryClient}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    )
  })
  void revalidateSession()
}

// This is not a top-level await, because page chunks can import this module. Such an import would deadlock.
start().catch(reportError)
