import { Button } from '@mantine/core'
import { IconQrcode } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'
import { CopyButton } from '../../../../ui/buttons/copy-button.tsx'
import { focusItem, useKeptFocus } from '../../../../ui/focus/focus-restore.ts'
import { QrCode } from '../../../../ui/dialogs/qr-code.tsx'
import { useEngaged } from '../../../../ui/feedback/use-engaged.ts'
import { bundleAddress } from '../../../../domains/bundles/bundle-address.ts'
import { rawAddress, shareAddress } from '../../../../domains/shares/share-address.ts'
import { sealedAddress } from '../../../../domains/sealed/link/sealed-address.ts'
import { LostKeyNote, SealedParts } from '../../../../domains/sealed/link/sealed-links.tsx'
import styles from './result-panel.module.css'
import { useCountdown } from '../reading/use-countdown.ts'
import type { PublishedShare } from './use-publish.ts'

const SHOWN_SECONDS = 15

interface ResultPanelProps {
  share: PublishedShare
  /** Whether the link takes the focus; true after a submit by keyboard. */
  takesFocus: () => boolean
  onHide: (isByHand: boolean) => void
  /** Puts the text back into the editor; `null` while the editor contains a text. */
  onRestore: (() => void) | null
}

/** Shows the new link. Hides after a time, unless the user interacts with the panel or the link contains a key. */
export function ResultPanel({ share, takesFocus, onHide, onRestore }: ResultPanelProps) {
  const { t } = useT()
  // The panel does not hide by itself if the link contains a key, because a lost key cannot be restored.
  const [isPinned, setPinned] = useState(share.linkKey !== null)
  const [hasQr, setQr] = useState(false)
  const panel = useRef<HTMLElement>(null)
  const isHeld = useEngaged(panel)
  useKeptFocus(panel)
  const isPaused = isHeld || isPinned || hasQr
  const seconds = useCountdown({ from: SHOWN_SECONDS, isPaused, onEnd: () => onHide(false) })
  useEffect(() => {
    // In newer browsers, `scrollIntoView` returns a promise, which is not a clean-up function. The braces discard the
    // promise.
    panel.current?.scrollIntoView({ block: hasQr ? 'end' : 'nearest' })
  }, [hasQr])
  const takeFocus = useEffectEvent(() => {
    if (takesFocus()) panel.current?.querySelector('a')?.focus({ preventScroll: true })
  })
  useEffect(() => takeFocus(), [])
  return (
    <section ref={panel} className={styles.panel} aria-label={t('home.result.title')} tabIndex={-1}>
      <div className={styles.head} {...focusItem('head')}>
        <h2 className={styles.title}>{t('home.result.title')}</h2>
        <span className={styles.timer}>
          {!isPinned && (isPaused ? t('home.result.paused') : t('home.result.hidesIn', { seconds }))}
        </span>
        <span className={styles.stay}>
          {!isPinned && (
            <Button size="compact-sm" variant="default" onClick={() => setPinned(true)}>
              {t('home.result.keep')}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onHide(true)}>
            {t('home.result.hide')}
          </Button>
        </span>
      </div>
      <Links share={share} />
      <div className={styles.actions}>
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconQrcode size={18} aria-hidden />}
          aria-expanded={hasQr}
          onClick={() => setQr(!hasQr)}
        >
          {t('common.qrCode')}
        </Button>
        {share.linkKey !== null && (
          <SealedParts name={`/${share.slug}`} slug={share.slug} linkKey={share.linkKey} />
        )}
        {onRestore && (
          <span className={styles.cleared}>
            {t('home.result.cleared')}{' '}
            <Button size="compact-sm" variant="subtle" onClick={onRestore}>
              {t('home.result.restore')}
            </Button>
          </span>
        )}
      </div>
      {share.linkKey !== null && <LostKeyNote />}
      {hasQr && <QrCode text={addressOf(share)} />}
    </section>
  )
}

function addressOf({ kind, slug, linkKey }: PublishedShare) {
  if (linkKey !== null) return sealedAddress(slug, linkKey)
  return kind === 'bundle' ? bundleAddress(slug) : shareAddress(slug)
}

function Links({ share }: { share: PublishedShare }) {
  const { t } = useT()
  const link = addressOf(share)
  const raw = rawAddress(share.slug, share.password)
  const rawLabel = share.password
    ? t('common.nameAndKind', { name: t('home.result.rawLink'), kind: t('home.result.rawNote') })
    : t('home.result.rawLink')
  return (
    <dl className={styles.links}>
      <dt>{t('home.result.link')}</dt>
      <dd>
        <a href={link} target="_blank" rel="noopener">
          {link}
        </a>
        <CopyButton text={link} label={t('home.result.copyLink')} />
      </dd>
      {!share.asks && share.kind === 'paste' && (
        <>
          <dt>{rawLabel}</dt>
          <dd>
            <a href={raw} target="_blank" rel="noopener">
              {raw}
            </a>
            <CopyButton text={raw} label={t('home.result.copyRaw')} />
          </dd>
        </>
      )}
    </dl>
  )
}
