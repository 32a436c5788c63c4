import { Button } from '@mantine/core'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import frameStyles from '../safe-frame.module.css'
import officeStyles from './office-preview.module.css'
import partStyles from '../preview-parts.module.css'
import type { PreviewSource } from '../preview-source.ts'
import type { ProviderProps } from '../providers.ts'
import { usePreviewData } from '../use-preview-data.ts'
import { ONLINE_SERVICES, onlineAddress, type OnlineService, SERVICE_HOSTS } from './online-services.ts'

/** Explains which data the service receives. Sends nothing before the user agrees. */
export function OnlinePreview({ source, isFull }: ProviderProps) {
  const { t } = useT()
  const [service, setService] = useState<OnlineService | null>(null)
  if (service) return <ServicePage source={source} service={service} isFull={isFull} />
  return (
    <div className={officeStyles.online}>
      <Banner tone="warning">{t('viewer.online.warning', { name: source.name })}</Banner>
      <div className={officeStyles.choices}>
        {ONLINE_SERVICES.map((name) => (
          <Button key={name} variant="default" onClick={() => setService(name)}>
            {t(`viewer.online.${name}`, { host: SERVICE_HOSTS[name] })}
          </Button>
        ))}
      </div>
    </div>
  )
}

interface ServicePageProps {
  source: PreviewSource
  service: OnlineService
  isFull: boolean
}

function ServicePage({ source, service, isFull }: ServicePageProps) {
  const { t } = useT()
  const address = usePreviewData({
    source,
    key: ['online', service],
    load: async () => {
      const directUrl = await source.findPublicUrl?.()
      return onlineAddress({ directUrl }, { provider: service, findUrl: (slug) => Promise.resolve(slug) })
    },
  })
  if (address === undefined) return <SkeletonLines label={t('preview.loading')} />
  return (
    <>
      <iframe
        className={isFull ? frameStyles.webFull : frameStyles.web}
        src={address}
        title={source.name}
        referrerPolicy="no-referrer"
        // The frame has another origin than this page, and its scripts need that origin.
        // oxlint-disable-next-line react/iframe-missing-sandbox -- as above
        sandbox="allow-scripts allow-same-origin allow-forms allow-popups"
      />
      <p className={partStyles.note}>{t('viewer.online.help')}</p>
    </>
  )
}
