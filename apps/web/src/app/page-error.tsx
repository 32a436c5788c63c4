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
  /** Whether what was typed on the page is kept. */
  hasDraft?: boolean
}

/** A part of a page that could not be fetched, in the words of the browsers and of the bundler. */
const isImport = (error: unknown) =>
  error instanceof Error && /dynamically imported|importing a module|preload css/i.test(error.message)

const isMissing = (error: unknown) => error instanceof MissingPart || (!navigator.onLine && isImport(error))

/** A page that could not be loaded or broke while it was shown. The rest of the app stays usable. */
export function PageFailure({ error, hasDraft = false }: PageFailureProps) {
  const { t } = useT()
  const router = useRouter()
  // A page is fetched again; chunks of one only with the page, which is not discarded offline.
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

/** How often a server is looked for that does not answer. */
const LOOK_AGAIN_MS = 3000

/** Calls once the line or the server is back. @returns whether there is a line at all, as the browser knows it. */
function useReturn(onReturn: () => void): boolean {
  const [isOnline, setOnline] = useState(navigator.onLine)
  const returned = useEffectEvent(onReturn)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = true
    const look = async () => {
      // Nobody waits for it in a tab behind others.
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

/** The page is not on this device, and there is no line or no server to fetch it from; when there is, it comes by itself. */
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

/** Where texts are written. */
export const EditorFailure = ({ error }: { error: unknown }) => <PageFailure error={error} hasDraft />
