import { Button } from '@mantine/core'
import { IconPlugConnectedX, IconWifiOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useT } from '../lib/i18n/use-translation.ts'
import { reloadApp } from '../lib/offline/reload-app.ts'
import { PageMessage } from '../ui/message.tsx'
import { hrefOf } from '../lib/base-path.ts'

interface PageFailureProps {
  error: unknown
  /** Whether what was typed on the page is kept. */
  hasDraft?: boolean
}

/** A part of the app that could not be fetched, in the words of the different browsers. */
const isMissingPart = (error: unknown) =>
  error instanceof TypeError &&
  /dynamically imported module|importing a module script|failed to fetch|preload/i.test(error.message)

/** A page that could not be loaded or broke while it was shown. The rest of the app stays usable. */
export function PageFailure({ error, hasDraft = false }: PageFailureProps) {
  const { t } = useT()
  useEffect(() => {
    reportError(error)
  }, [error])
  if (!navigator.onLine && isMissingPart(error)) return <PageOffline hasDraft={hasDraft} />
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

/** The page is not on this device, and there is no line to fetch it. */
function PageOffline({ hasDraft }: { hasDraft: boolean }) {
  const { t } = useT()
  const goBack = () => {
    if (window.history.length > 1) window.history.back()
    else window.location.assign(hrefOf('/'))
  }
  return (
    <PageMessage
      icon={<IconWifiOff size={28} aria-hidden />}
      title={t('shell.pageOffline.title')}
      text={t(hasDraft ? 'shell.pageOffline.draft' : 'shell.pageOffline.text')}
    >
      <Button onClick={() => void reloadApp()}>{t('common.retry')}</Button>
      <Button variant="default" onClick={goBack}>
        {t('shell.pageOffline.back')}
      </Button>
      <Button variant="default" component="a" href={hrefOf('/')}>
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}

/** Where texts are written. */
export const EditorFailure = ({ error }: { error: unknown }) => <PageFailure error={error} hasDraft />
