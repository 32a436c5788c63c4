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

/** Said on the page already, in words: what is wrong with a file, or what the server answered. */
const SAID = new Set(['PreviewError', 'ApiError'])

function onCaughtError(error: unknown): void {
  if (error instanceof Error && SAID.has(error.name)) return
  // oxlint-disable-next-line no-console -- what nobody has foreseen is for whoever looks into it
  console.error(error)
}

async function start() {
  leaveKeysToInputMethods()
  catchInstallPrompt()
  // Drafts of this tab are its own as long as it answers, whatever it shows.
  thisTab()
  // What is here has just been run: the page answers before it goes on.
  await nextTurn()
  const router = createAppRouter()
  const queryClient = createQueryClient()
  // The page's chunk, its words and what it shows come before the first render, so that nothing is drawn twice.
  await Promise.all([startI18n(), router.load(), prepareFirstPage(router, queryClient)])
  await earlyFieldSettled()
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root element.')
  // In turns, between which the page answers: the text of a share is being read already.
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

// Not awaited at the top level: page chunks may import this one, and would wait for what waits for them.
start().catch(reportError)
