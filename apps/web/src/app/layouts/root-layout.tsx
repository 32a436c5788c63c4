import { Outlet } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { PRODUCT } from '../../lib/browser/page-title.ts'
import {
  goOnAsVisitor,
  type LoginAgain,
  onSessionEnd,
  takeSessionEnd,
  useLoginAgain,
} from '../../domains/session/session.ts'
import { noticeSessionEnd } from '../../domains/session/session-notices.ts'
import { rememberFocus } from '../../ui/focus/focus-restore.ts'
import { Notices } from '../../ui/feedback/notices.tsx'
import { Environment } from './environment.tsx'
import { Header } from './header.tsx'
import { KeyLoss } from './key-loss.tsx'
import { Offline } from './offline.tsx'
import { useQuickAccess } from './quick-access.tsx'
import { PageAnnouncer } from './page-announcer.tsx'
import './shell.css'

/**
 * Removes the early content as soon as the app is rendered. The browser does no layout in between, so the height and
 * the scroll position of the page stay the same.
 */
function useEarlyFrameRemoval() {
  useLayoutEffect(() => {
    document.getElementById('early')?.remove()
  }, [])
}

function useSessionNotices() {
  const { t } = useT()
  useEffect(() => {
    const tell = () => {
      const reason = takeSessionEnd()
      if (!reason) return
      const isWanted = reason === 'logout' || reason === 'account-changed'
      noticeSessionEnd(isWanted ? 'success' : 'error', t(`shell.sessionEnd.${reason}`))
    }
    tell()
    return onSessionEnd(tell)
  }, [t])
}

/** Replaces the login dialog if its chunk cannot be loaded. Continues as a visitor, and shows a notice. */
function CannotAsk() {
  const { t } = useT()
  useEffect(() => {
    goOnAsVisitor()
    noticeSessionEnd('error', t('shell.sessionEnd.admin-expired'))
  }, [t])
  return null
}

const LoginAgainDialog = lazy(async (): Promise<{ default: ComponentType<{ again: LoginAgain }> }> => {
  try {
    return { default: (await import('./login-again.tsx')).LoginAgainDialog }
  } catch {
    return { default: CannotAsk }
  }
})

/** Shows the login dialog on request, and restores the focus afterwards. */
function useAskedLogin() {
  const again = useLoginAgain()
  const isAsked = again !== null
  useLayoutEffect(() => (isAsked ? rememberFocus() : undefined), [isAsked])
  return again
}

export function RootLayout() {
  const { t } = useT()
  const again = useAskedLogin()
  const isHeld = again !== null && again.session !== null
  useEarlyFrameRemoval()
  useSessionNotices()
  const { openPalette, panel } = useQuickAccess()
  return (
    <>
      <a className="dl-skip" href="#content">
        {t('shell.skip')}
      </a>
      <Header onPalette={openPalette} />
      <main className="dl-main" id="content" tabIndex={-1} inert={isHeld} data-held={isHeld || undefined}>
        <Outlet />
        {/* Container for portals, so that menus are inside a landmark. */}
        <div data-mantine-shared-portal-node="" />
      </main>
      <footer className="dl-footer">
        {PRODUCT} · {t('shell.footer')}
      </footer>
      <Environment />
      <Offline />
      {panel}
      {again && (
        <Suspense fallback={null}>
          <LoginAgainDialog again={again} />
        </Suspense>
      )}
      <KeyLoss />
      <PageAnnouncer />
      <Notices />
    </>
  )
}
