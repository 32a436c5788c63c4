import { Button } from '@mantine/core'
import { IconPlugConnectedX, IconWifiOff } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../i18n/use-translation.ts'
import { canReachServer, MissingPart } from '../domains/offline/missing-part.ts'
import { reloadApp } from '../domains/offline/reload-app.ts'
import { PageMessage } from '../ui/feedback/message.tsx'
import { hrefOf } from '../lib/browser/base-path.ts'

interface PageFailureProps {
  error: unknown
  /** Whether the typed text is stored in the browser. */
  hasDraft?: boolean
}

/** Whether a chunk could not be loaded. Recognises the error messages of browsers and of the bundler. */
const isImport = (error: unknown) =>
  error instanceof Error && /dynamically imported|importing a module|preload css/i.test(error.message)

const isMissing = (error: unknown) => error instanceof MissingPart || (!navigator.onLine && isImport(error))

/** Shown when a page cannot be loaded or fails. The rest of the app stays usable. */
export function PageFailure({ error, hasDraft = false }: PageFailureProps) {
  const { t } = useT()
  const router = useRouter()
  // Only a reload of the app loads a failed chunk again. While the server is unreachable, a reload would fail too.
  const retry = () => {
    if (navigator.onLine && !(error instanceof MissingPart)) void reloadApp()
    else void router.invalidate()
  }
  useEffect(() => {
    reportError(error)
  }, [error])
  if (isMissing(error)) return <PageOffline hasDraft={hasDraft} onRetry={retry} />
  return (
    <PageMessage
      icon={<IconPlugConnectedX size={28} aria-hidden />}
      title={t('shell.pageError.title')}
      text={t(hasDraft ? 'shell.pageError.draft' : 'shell.pageError.text')}
    >
      <Button onClick={() => void reloadApp()}>{t('common.reload')}</Button>
      <Button variant="default" component="a" href={hrefOf('/')}>
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}

/** Interval of the connection checks. */
const LOOK_AGAIN_MS = 3000

/**
 * Calls back when the browser goes online, and after each check that reaches the server.
 * @returns whether the browser is online
 */
function useReturn(onReturn: () => void): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  const returned = useEffectEvent(onReturn)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = true
    const look = async () => {
      // The page does not poll the server in background tabs.
      const isBack = !document.hidden && (await canReachServer())
      if (!isShown) return
      if (isBack) returned()
      lookLater()
    }
    const lookLater = () => {
      clearTimeout(timer)
      timer = setTimeout(() => void look(), LOOK_AGAIN_MS)
    }
    const follow = () => {
      setOnline(navigator.onLine)
      if (navigator.onLine) returned()
    }
    lookLater()
    window.addEventListener('online', follow)
    window.addEventListener('offline', follow)
    return () => {
      isShown = false
      clearTimeout(timer)
      window.removeEventListener('online', follow)
      window.removeEventListener('offline', follow)
    }
  }, [])
  return isOnline
}

/**
 * Shown when the page is not cached and the server is unreachable. Loads the page when the server is reachable again.
 */
function PageOffline({ hasDraft, onRetry }: { hasDraft: boolean; onRetry: () => void }) {
  const { t } = useT()
  const router = useRouter()
  const goBack = () => {
    if (router.history.canGoBack()) router.history.back()
    else void router.navigate({ to: '/' })
  }
  const isOnline = useReturn(onRetry)
  const Icon = isOnline ? IconPlugConnectedX : IconWifiOff
  const what = hasDraft ? 'draft' : 'text'
  return (
    <PageMessage
      icon={<Icon size={28} aria-hidden />}
      title={t('shell.pageOffline.title')}
      text={t(isOnline ? `shell.pageOffline.server.${what}` : `shell.pageOffline.${what}`)}
    >
      <Button onClick={onRetry}>{t('common.retry')}</Button>
      <Button variant="default" onClick={goBack}>
        {t('shell.pageOffline.back')}
      </Button>
      <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}

/** Shown if a page with an editor fails. */
export const EditorFailure = ({ error }: { error: unknown }) => <PageFailure error={error} hasDraft />
