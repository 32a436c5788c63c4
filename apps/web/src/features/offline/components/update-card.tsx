import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { reloadApp } from '../../../domains/offline/reload-app.ts'
import { postponeUpdate, type UpdateOffer, watchUpdates } from '../watch-updates.ts'
import { Card } from './card.tsx'

export function useUpdateOffer(registration: ServiceWorkerRegistration | null) {
  const [offer, setOffer] = useState<UpdateOffer | null>(null)
  useEffect(() => (registration === null ? undefined : watchUpdates(registration, setOffer)), [registration])
  const postpone = () => {
    if (offer?.kind === 'waiting') postponeUpdate(offer.version)
    setOffer(null)
  }
  return { offer, postpone }
}

interface UpdateCardProps {
  offer: UpdateOffer
  onLater: () => void
}

/** Offers to load a new version of the app. */
export function UpdateCard({ offer, onLater }: UpdateCardProps) {
  const { t } = useT()
  const [isUpdating, setUpdating] = useState(false)
  const update = () => {
    setUpdating(true)
    reloadApp().catch((error: unknown) => {
      setUpdating(false)
      reportError(error)
    })
  }
  const isWaiting = offer.kind === 'waiting'
  return (
    <Card
      icon={<IconRefresh aria-hidden />}
      title={t(isWaiting ? 'offline.update.title' : 'offline.update.hereTitle')}
      text={t(isWaiting ? 'offline.update.text' : 'offline.update.hereText')}
      onClose={onLater}
    >
      <Button loading={isUpdating} onClick={update}>
        {t(isWaiting ? 'offline.update.now' : 'common.reload')}
      </Button>
      <Button variant="default" onClick={onLater}>
        {t('offline.later')}
      </Button>
    </Card>
  )
}
