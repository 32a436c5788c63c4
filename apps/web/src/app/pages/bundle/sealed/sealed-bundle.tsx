import { type Bytes, SealError, toBase64url } from '@dropleaf/seal'
import { Progress } from '@mantine/core'
import { IconLockOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { findAddressKey, type KeyProblem, keyProblemOf } from '../../../../domains/sealed/link/link-keys.ts'
import { sealedErrorText } from '../../../../domains/sealed/reading/fault-text.ts'
import { AskFirst, mayAsk } from '../../../../domains/shares/opening/ask-first.tsx'
import { UnlockForm } from '../../../../domains/shares/unlock-form.tsx'
import { BundleFailure, isGone } from '../../../../features/bundle-reading/components/bundle-failure.tsx'
import { KeyForm } from '../../../../features/bundle-reading/components/key-form.tsx'
import { NotEncrypted } from '../../../../features/bundle-reading/components/not-encrypted.tsx'
import { SealedFailure } from '../../../../features/bundle-reading/components/sealed-failure.tsx'
import { forgetTicket } from '../../../../features/bundle-reading/models/stored-ticket.ts'
import { mayBeKey } from '../../../../features/bundle-reading/sealed/address-key.ts'
import { NotSealedError } from '../../../../features/bundle-reading/sealed/not-sealed.ts'
import { lookAt, type SealedLook } from '../../../../features/bundle-reading/sealed/open-sealed.ts'
import { createSealedOpening } from '../../../../features/bundle-reading/sealed/sealed-opening.ts'
import type { ShownBundle } from '../../../../features/bundle-reading/sealed/shown-bundle.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { hasCode } from '../../../../lib/api-error.ts'
import { usePageTitle } from '../../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../../ui/feedback/message.tsx'

import { forgetEarlyText } from './early-text.ts'
import { WaitingBundle } from './waiting-bundle.tsx'

type RenderBundle = (bundle: ShownBundle, hasFocus: boolean, onReopen: () => void) => ReactNode

interface SealedBundleProps {
  slug: string
  /** Called if the reader wants to see a bundle without encryption, although this browser knows an encrypted one. */
  onOpenBundle: () => void
  renderBundle: RenderBundle
}

/** Options for queries that run once, because each opening counts a view. Decrypted data is discarded with the page. */
const ONCE = {
  retry: false,
  staleTime: 'static',
  gcTime: 0,
  structuralSharing: false,
  refetchOnReconnect: false,
  refetchOnMount: false,
} as const

/** Decrypts a bundle on this device, with the key from the address or from the reader. */
export function SealedBundle({ slug, onOpenBundle, renderBundle }: SealedBundleProps) {
  const look = useQuery({ ...ONCE, queryKey: ['sealed-look', slug], queryFn: () => lookAt(slug) })
  const hasKey = mayBeKey(useLocation({ select: ({ hash }) => hash }))
  if (look.error instanceof NotSealedError)
    return (
      <NotEncrypted
        known={look.error.known}
        hasKey={hasKey}
        onOpen={hasKey ? reloadWithoutKey : onOpenBundle}
      />
    )
  if (look.error) return <SealedFailure error={look.error} onRetry={() => void look.refetch()} />
  if (!look.data) return <WaitingBundle slug={slug} />
  if (!window.isSecureContext) return <Insecure />
  return <WithKey slug={slug} look={look.data} renderBundle={renderBundle} />
}

/** Loads the page again, because a change of the fragment alone would not. */
const reloadWithoutKey = () => window.location.replace(window.location.pathname + window.location.search)

function Insecure() {
  const { t } = useT()
  usePageTitle(t('sealedReading.badge'))
  return (
    <PageMessage
      icon={<IconLockOff size={28} aria-hidden />}
      title={t('sealedReading.insecure.title')}
      text={t('sealedReading.insecure.text')}
    />
  )
}

interface AddressKey {
  readonly fragment: string
  readonly secret: Bytes | null
  readonly problem: KeyProblem | null
}

function readKey(fragment: string): AddressKey {
  try {
    return { fragment, secret: findAddressKey(fragment), problem: null }
  } catch (error) {
    return { fragment, secret: null, problem: keyProblemOf(error) }
  }
}

/**
 * Returns the key in the address. Remembers the key, because another fragment can replace it in the address, such as
 * the id of a heading.
 */
function useAddressKey(): AddressKey {
  const fragment = useLocation({ select: ({ hash }) => hash })
  const [held, setHeld] = useState(() => readKey(fragment))
  if (held.fragment === fragment) return held
  const read = readKey(fragment)
  const next = read.secret || !held.secret ? read : { ...held, fragment }
  setHeld(next)
  return next
}

interface WithKeyProps {
  slug: string
  look: SealedLook
  renderBundle: RenderBundle
}

function WithKey({ slug, look, renderBundle }: WithKeyProps) {
  const { secret, problem } = useAddressKey()
  const [refused, setRefused] = useState<string | null>(null)
  const navigate = useNavigate()
  const linkKey = secret && toBase64url(secret)
  if (!secret || linkKey === null || linkKey === refused) {
    const enter = (entered: Bytes) => {
      setRefused(null)
      // The key is written to the address, so that the page does not ask for the key again after a reload.
      void navigate({ to: '/s/$slug', params: { slug }, hash: toBase64url(entered), replace: true })
    }
    return <KeyForm key={refused} problem={secret ? 'wrong' : problem} onKey={enter} />
  }
  return (
    <Opening key={linkKey} {...{ slug, look, secret, renderBundle }} onWrongKey={() => setRefused(linkKey)} />
  )
}

interface OpeningProps extends WithKeyProps {
  secret: Bytes
  onWrongKey: () => void
}

function useOpening({ slug, look, secret }: Pick<OpeningProps, 'slug' | 'look' | 'secret'>) {
  const { t } = useT()
  const [opening] = useState(() => createSealedOpening({ slug, look, secret, untitled: t('bundle.title') }))
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    clearTimeout(closing.current)
    return () => {
      // The opening is closed with a delay, because React mounts each component twice in development.
      closing.current = setTimeout(opening.close)
    }
  }, [opening])
  return opening
}

function Opening({ slug, look, secret, renderBundle, onWrongKey }: OpeningProps) {
  const queryClient = useQueryClient()
  const opening = useOpening({ slug, look, secret })
  const queryKey = ['sealed-bundle', slug, useId()]
  const [wasAsked, setAsked] = useState(look.kdf !== null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isRefused, setRefused] = useState(false)
  const bundle = useQuery({
    ...ONCE,
    queryKey,
    queryFn: ({ signal }) => opening.open(signal),
    enabled: look.kdf === null,
  })
  const show = (shown: ShownBundle) => {
    setFailure(null)
    queryClient.setQueryData(queryKey, shown)
  }
  const retry = () => {
    setFailure(null)
    void bundle.refetch()
  }
  const refuse = () => {
    if (look.kdf === null) onWrongKey()
    setFailure(null)
    setRefused(true)
  }
  const error = failure ?? bundle.error
  const isWrong = look.kdf === null && hasCode(error, 'bundle.proof_wrong')
  const tellWrong = useEffectEvent(onWrongKey)
  useEffect(() => {
    if (isWrong) tellWrong()
  }, [isWrong])
  if (isWrong) return <WaitingBundle slug={slug} />
  if (mayAsk(error)) {
    return (
      <AskFirst
        place={{ kind: 'bundle', slug, ...proofIn(opening.proof()) }}
        error={error}
        onOpen={({ kind, contents }) => {
          setAsked(true)
          if (kind !== 'bundle' || contents.sealed === null) setFailure(new SealError('manifest.refused'))
          else opening.accept(contents).then(show, setFailure)
        }}
        onDirect={retry}
        onWrongProof={refuse}
        renderFailure={(one, onRetry) => <BundleFailure error={one} onRetry={onRetry} />}
      />
    )
  }
  if (error) return <SealedFailure error={error} onRetry={retry} />
  if (bundle.data) {
    const reopen = () => {
      forgetTicket(slug)
      retry()
    }
    return <Shown>{renderBundle(bundle.data, wasAsked, reopen)}</Shown>
  }
  if (look.kdf === null) return <WaitingBundle slug={slug} />
  const enter = async (password: string, onProgress: (share: number) => void) => {
    await opening.enterPassword(password, onProgress)
    show(await opening.open())
  }
  return <PasswordForm enter={enter} isRefused={isRefused} onFailure={setFailure} />
}

function Shown({ children }: { children: ReactNode }) {
  useEffect(forgetEarlyText, [])
  return children
}

const proofIn = (proof: string | null) => (proof === null ? {} : { proof })

interface PasswordFormProps {
  enter: (password: string, onProgress: (share: number) => void) => Promise<void>
  /** Whether the last password was refused after the reader had confirmed the opening. */
  isRefused: boolean
  onFailure: (error: unknown) => void
}

function PasswordForm({ enter, isRefused, onFailure }: PasswordFormProps) {
  const { t } = useT()
  const [share, setShare] = useState<number | null>(null)
  usePageTitle(t('sealedReading.badge'))
  const unlock = async (password: string) => {
    try {
      await enter(password, setShare)
    } finally {
      setShare(null)
    }
  }
  return (
    <UnlockForm
      title={t('sealedReading.password.title')}
      text={t('sealedReading.badgeText')}
      words={{
        password: t('bundle.locked.password'),
        open: t('bundle.locked.open'),
        missing: t('errors.bundle.password_missing'),
      }}
      unlock={unlock}
      problem={isRefused ? t('sealedReading.password.wrong') : undefined}
      say={(error) =>
        hasCode(error, 'bundle.proof_wrong') ? t('sealedReading.password.wrong') : sealedErrorText(error)
      }
      busyNote={share !== null && <Progress value={share * 100} aria-label={t('sealedReading.deriving')} />}
      isGone={(error) => isGone(error) || mayAsk(error) || isLasting(error)}
      onGone={onFailure}
    />
  )
}

/** Whether an error would occur again with another password. */
const isLasting = (error: unknown) => error instanceof Error && !hasCode(error) && error.name !== 'ApiError'
