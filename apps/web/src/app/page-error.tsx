import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useT } from '../lib/i18n/use-translation.ts'
import { PageMessage } from '../ui/message.tsx'

/** A page that could not be loaded or broke while it was shown. The rest of the app stays usable. */
export function PageFailure({ error }: { error: unknown }) {
  const { t } = useT()
  useEffect(() => {
    reportError(error)
  }, [error])
  return (
    <PageMessage
      icon={<IconPlugConnectedX size={28} aria-hidden />}
      title={t('shell.pageError.title')}
      text={t('shell.pageError.text')}
    >
      <Button onClick={() => window.location.reload()}>{t('common.reload')}</Button>
      <Button variant="default" component="a" href="/">
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}
