import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCopies } from '../../../domains/offline/copies/copy-times.ts'
import { showOfflineToast } from '../../../domains/offline/connection-notice.ts'
import { takeUncached } from '../../../domains/offline/copies/uncached-answers.ts'
import { takeOpenedFiles } from '../opened-files.ts'
import { registerWorker } from '../register.ts'
import { notifyWorker } from '../notify-worker.ts'
import { InstallCard, useInstallOffer } from './install-card.tsx'
import { UpdateCard, useUpdateOffer } from './update-card.tsx'

let registering: Promise<ServiceWorkerRegistration | null> | null = null

async function start(): Promise<ServiceWorkerRegistration | null> {
  const registration = await registerWorker()
  if (registration) notifyWorker().catch(reportError)
  else takeUncached()
  return registration
}

function useWorker() {
  const [registration, setRegistration] = useState<ServiceWorkerRegistration | null>(null)
  useEffect(() => {
    registering ??= start()
    registering.then(setRegistration, reportError)
  }, [])
  return registration
}

function useConnection() {
  const { t } = useT()
  const queryClient = useQueryClient()
  useEffect(() => {
    const tellOffline = () => showOfflineToast('info', t('offline.toasts.gone'))
    const tellOnline = () => {
      showOfflineToast('success', t('offline.toasts.back'))
      // Reloads only private data, because reloading another user's share would count a view.
      if (hasCopies())
        void queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isPrivate'] === true })
    }
    window.addEventListener('offline', tellOffline)
    window.addEventListener('online', tellOnline)
    return () => {
      window.removeEventListener('offline', tellOffline)
      window.removeEventListener('online', tellOnline)
    }
  }, [t, queryClient])
}

/** Opens text files in the editor when the user opens them with the installed app. */
function useOpenedFiles() {
  const navigate = useNavigate()
  const show = useEffectEvent((shared: string) => void navigate({ to: '/', search: { shared } }))
  useEffect(() => {
    takeOpenedFiles((shared) => show(shared))
  }, [])
}

/** Whether the page shows a share. Its readers get no install prompt. */
const isShare = (path: string) => /\/(?:paste|file|s)\/[^/]/.test(path)

/** Offers to update or to install the app. Shows only one offer at a time. */
export function OfflineParts() {
  const registration = useWorker()
  const update = useUpdateOffer(registration)
  const install = useInstallOffer()
  const isReading = useRouterState({ select: ({ location }) => isShare(location.pathname) })
  useConnection()
  useOpenedFiles()
  if (update.offer) return <UpdateCard offer={update.offer} onLater={update.postpone} />
  if (install.offer && !isReading) return <InstallCard offer={install.offer} onAnswered={install.check} />
  return null
}
