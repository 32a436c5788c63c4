import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useT } from '../lib/i18n/use-translation.ts'
import { PageMessage } from '../ui/message.tsx'
import { hrefOf } from '../lib/base-path.ts'

interface PageFailureProps {
  error: unknown
  /** Whether what was typed on the page is kept. */
  hasDraft?: boolean
}

/** A page that could not be loaded or broke while it was shown. The rest of the app stays usable. */
export function PageFailure({ error, hasDraft = false }: PageFailureProps) {
  const { t } = useT()
  useEffect(() => {
    reportError(error)
  }, [error])
  return (
    <PageMessage
      icon={<IconPlugConnectedX size={28} aria-hidden />}
      title={t('shell.pageError.title')}
      text={t(hasDraft ? 'shell.pageError.draft' : 'shell.pageError.text')}
    >
      <Button onClick={() => window.location.reload()}>{t('common.reload')}</Button>
      <Button variant="default" component="a" href={hrefOf('/')}>
        {t('common.goHome')}
      </Button>
    </PageMessage>
  )
}

/** Where texts are written. */
export const EditorFailure = ({ error }: { error: unknown }) => <PageFailure error={error} hasDraft />
