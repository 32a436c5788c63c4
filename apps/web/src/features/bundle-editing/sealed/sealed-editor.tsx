import type { BundleDetail } from '@dropleaf/contract'
import { type Bytes, SealError } from '@dropleaf/seal'
import { Button } from '@mantine/core'
import { IconArrowLeft, IconSettings } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { findKey, keepKey } from '../../../domains/sealed/keys/key-store.ts'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { SealedMark } from '../../../domains/sealed/link/sealed-mark.tsx'
import { sealedErrorText } from '../../../domains/sealed/reading/fault-text.ts'
import type { SealedShare } from '../../../domains/sealed/sending/sealed-calls.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { BundleForm, type BundleFormProps } from '../components/bundle-form.tsx'
import formStyles from '../components/bundle-form.module.css'
import { BundleSettingsDialog } from '../components/bundle-settings-dialog.tsx'
import { openDetail, type OpenedDetail, unlockOwn } from './open-revision.ts'
import { SealedAccess } from './sealed-access.ts'
import { UnlockForm } from './unlock-form.tsx'

/** Options for queries that run once. Keys and decrypted contents stay in the memory of the page. */
const ONCE = {
  retry: false,
  staleTime: 'static',
  gcTime: 0,
  structuralSharing: false,
  refetchOnReconnect: false,
  refetchOnMount: false,
} as const

interface SealedEditorProps extends Omit<BundleFormProps, 'makeAccess' | 'linkKey'> {
  /** Counts how often the form was reset. */
  filling: number
}

/** Edits an encrypted bundle with the key that this browser stores, or that the owner enters. */
export function SealedEditor({ filling, ...props }: SealedEditorProps) {
  const { t } = useT()
  const { id, revision } = props.detail
  const kept = useQuery({ ...ONCE, queryKey: ['own-bundle', id, useId()], queryFn: () => findKey(id) })
  /** The keys stay in memory after a publication, so that the owner does not have to enter them again. */
  const [share, setShare] = useState<SealedShare | null>(null)
  if (revision === 0 || !window.isSecureContext) {
    const text = t(revision === 0 ? 'sealing.editing.draft' : 'sealedReading.insecure.text')
    return (
      <Closed {...props}>
        <Banner tone="info">{text}</Banner>
      </Closed>
    )
  }
  if (kept.isPending) return <SkeletonLines label={t('bundleEditing.loading')} />
  return <Opening key={filling} {...props} kept={kept.data ?? null} share={share} onShare={setShare} />
}

interface OpeningProps extends Omit<SealedEditorProps, 'filling'> {
  kept: Bytes | null
  /** The keys that have opened this bundle; `null` until the owner has unlocked it. */
  share: SealedShare | null
  onShare: (share: SealedShare) => void
}

const isRefused = (error: unknown) => error instanceof SealError && error.code === 'manifest.refused'

async function openKept(base: BundleDetail, secret: Bytes | null): Promise<OpenedDetail> {
  if (!secret) throw new SealError('key.missing')
  return openDetail(base, await unlockOwn(base, { secret, password: null }))
}

function Opening({ kept, share, onShare, ...props }: OpeningProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [base] = useState(props.detail)
  const queryKey = ['own-bundle', base.id, useId()]
  const canOpen = share !== null || (kept !== null && base.kdf === null)
  const opened = useQuery({
    ...ONCE,
    queryKey,
    queryFn: () => (share ? openDetail(base, share) : openKept(base, kept)),
    enabled: canOpen,
  })
  const { data, error } = opened
  if (data) {
    const { linkKey } = data.share
    return <BundleForm {...props} makeAccess={() => new SealedAccess(data)} linkKey={linkKey} />
  }
  if (canOpen && !error) return <SkeletonLines label={t('bundleEditing.loading')} />
  if (error && !isRefused(error)) {
    return (
      <Closed {...props}>
        <Banner tone="error">{sealedErrorText(error)}</Banner>
        <div>
          <Button onClick={() => void props.onReload()}>{t('common.retry')}</Button>
        </div>
      </Closed>
    )
  }
  const unlock = async (secret: Bytes, password: string | null, onProgress: (share: number) => void) => {
    const made = await openDetail(base, await unlockOwn(base, { secret, password, onProgress }))
    // Editing also works if the browser cannot store the key.
    await keepKey(base.id, secret, made.manifest.title ?? `/${base.slug}`).catch(() => undefined)
    queryClient.setQueryData(queryKey, made)
    onShare(made.share)
  }
  return (
    <Closed {...props}>
      {error && <Banner tone="error">{t('sealing.editing.wrongKept')}</Banner>}
      <UnlockForm kdf={base.kdf} kept={error ? null : kept} unlock={unlock} />
    </Closed>
  )
}

interface ClosedProps extends Pick<SealedEditorProps, 'detail' | 'onSettings' | 'onLeave'> {
  children: ReactNode
}

/** An encrypted bundle whose contents are not shown. The owner can change only its settings. */
function Closed({ detail, onSettings, onLeave, children }: ClosedProps) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const name = useKeptKey(detail.id)?.name
  return (
    <div className={formStyles.form}>
      <header className={formStyles.head}>
        <h1 ref={goOnHere} tabIndex={-1} className={formStyles.title}>
          {name ?? `/${detail.slug}`}
        </h1>
        <Button
          variant="default"
          leftSection={<IconSettings size={18} aria-hidden />}
          onClick={() => setOpen(true)}
        >
          {t('bundleEditing.settings')}
        </Button>
      </header>
      <SealedMark bundleId={detail.id} />
      {children}
      <div className={formStyles.actions}>
        <Button
          variant="default"
          leftSection={<IconArrowLeft className={formStyles.arrow ?? ''} size={18} aria-hidden />}
          onClick={onLeave}
        >
          {t('bundleEditing.back')}
        </Button>
      </div>
      {isOpen && <BundleSettingsDialog detail={detail} onSaved={onSettings} onClose={() => setOpen(false)} />}
    </div>
  )
}
