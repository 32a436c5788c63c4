import { Button } from '@mantine/core'
import { IconDeviceMobilePlus } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { peekInstallPrompt, takeInstallPrompt } from '../../../domains/offline/install-prompt.ts'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import { installOffer } from '../models/offers.ts'
import { Card } from './card.tsx'

const CHECK_MS = 5000
const DISMISSED_KEY = 'pwa-install-dismissed'

const isInstalled = () =>
  matchMedia('(display-mode: standalone)').matches ||
  ('standalone' in navigator && navigator.standalone === true)

/** Whether the device is an iPhone or iPad. On these devices, Safari has no install prompt, only a menu item. */
const isApplePhone = () =>
  /iPad|iPhone|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)

function readDismissed(): number | null {
  const atMs = Number(readStored(DISMISSED_KEY) ?? Number.NaN)
  return Number.isFinite(atMs) ? atMs : null
}

const findOffer = () =>
  installOffer({
    nowMs: Date.now(),
    ageMs: performance.now(),
    isUsed: navigator.userActivation.hasBeenActive,
    dismissedAtMs: readDismissed(),
    isInstalled: isInstalled(),
    // Installation needs the network.
    hasPrompt: peekInstallPrompt() !== null && navigator.onLine,
    isByHand: isApplePhone(),
  })

export function useInstallOffer() {
  const [offer, setOffer] = useState(findOffer)
  useEffect(() => {
    const timer = setInterval(() => setOffer(findOffer()), CHECK_MS)
    return () => clearInterval(timer)
  }, [])
  return { offer, check: () => setOffer(findOffer()) }
}

interface InstallCardProps {
  offer: 'prompt' | 'by-hand'
  /** Called when the user has answered. */
  onAnswered: () => void
}

export function InstallCard({ offer, onAnswered }: InstallCardProps) {
  const { t } = useT()
  const [isInstalling, setInstalling] = useState(false)
  const dismiss = () => {
    writeStored(DISMISSED_KEY, String(Date.now()))
    onAnswered()
  }
  // The browser's install prompt can be shown only once per page load.
  const install = async () => {
    setInstalling(true)
    try {
      await takeInstallPrompt()?.prompt()
    } catch (error) {
      reportError(error)
    }
    setInstalling(false)
    onAnswered()
  }
  const isByHand = offer === 'by-hand'
  return (
    <Card
      icon={<IconDeviceMobilePlus aria-hidden />}
      title={t('offline.install.title')}
      text={t(isByHand ? 'offline.install.byHand' : 'offline.install.text')}
      onClose={dismiss}
    >
      {!isByHand && (
        <Button loading={isInstalling} onClick={() => void install()}>
          {t('offline.install.now')}
        </Button>
      )}
      <Button variant="default" onClick={dismiss}>
        {t(isByHand ? 'offline.understood' : 'offline.later')}
      </Button>
    </Card>
  )
}
