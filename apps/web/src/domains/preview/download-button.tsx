import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useT } from '../../i18n/use-translation.ts'
import type { PreviewSource } from './preview-source.ts'

export function DownloadButton({ source }: { source: PreviewSource }) {
  const { t } = useT()
  const icon = <IconDownload size={16} aria-hidden />
  if (source.onDownload) {
    return (
      <Button size="compact-sm" variant="default" leftSection={icon} onClick={source.onDownload}>
        {t('viewer.download')}
      </Button>
    )
  }
  if (source.downloadUrl === undefined) return null
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={source.downloadUrl}
      download={source.name}
      leftSection={icon}
    >
      {t('viewer.download')}
    </Button>
  )
}
