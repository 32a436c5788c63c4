import type { OpenBundle } from '@dropleaf/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import {
  bundleKey,
  bundleQuery,
  isSealedBundle,
  openBundle,
} from '../../../features/bundle-reading/api/bundles.queries.ts'
import { BundleFailure, isGone } from '../../../features/bundle-reading/components/bundle-failure.tsx'
import { mayBeKey } from '../../../features/bundle-reading/sealed/address-key.ts'
import { findKnownLook } from '../../../features/bundle-reading/sealed/known-looks.ts'
import { forgetTicket, storeTicket } from '../../../features/bundle-reading/models/stored-ticket.ts'
import { AskFirst, mayAsk } from '../../../domains/shares/opening/ask-first.tsx'
import { UnlockForm } from '../../../domains/shares/unlock-form.tsx'
import { fetchPart } from '../../../domains/offline/missing-part.ts'
import { loadWords } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { BundleView } from './bundle-view.tsx'
import { WaitingBundle } from './sealed/waiting-bundle.tsx'

const route = getRouteApi('/s/$slug')

export function BundlePage(): ReactNode {
  const { slug } = route.useParams()
  return <BundleBySlug key={slug} slug={slug} />
}

const SealedBundle = lazy(async () => {
  const parts = Promise.all([import('./sealed/sealed-bundle.tsx'), loadWords('sealedReading')])
  return { default: (await fetchPart(parts))[0].SealedBundle }
})

/**
 * Treats a bundle as encrypted if the fragment looks like a key, if this browser knows the bundle as encrypted, or if
 * the server says so. In the first two cases, an unencrypted bundle is shown only on request, because an attacker could
 * have replaced the encrypted one.
 */
function BundleBySlug({ slug }: { slug: string }) {
  const [isSealed, setSealed] = useState(() => mayBeKey(window.location.hash) || findKnownLook(slug) !== null)
  // The reader can paste a link with a key while the page shows an unencrypted bundle. This loads no new page.
  const hasKey = useLocation({ select: ({ hash }) => mayBeKey(hash) })
  if (hasKey && !isSealed) setSealed(true)
  if (!isSealed) return <OpenBundleBySlug slug={slug} onSealed={() => setSealed(true)} />
  return (
    <Suspense fallback={<WaitingBundle slug={slug} />}>
      <SealedBundle
        slug={slug}
        onOpenBundle={() => setSealed(false)}
        renderBundle={(bundle, hasFocus, onReopen) => (
          <BundleView
            key={`${bundle.revision} ${bundle.ticket}`}
            bundle={bundle}
            hasFocus={hasFocus}
            onReopen={onReopen}
          />
        )}
      />
    </Suspense>
  )
}

function OpenBundleBySlug({ slug, onSealed }: { slug: string; onSealed: () => void }) {
  const queryClient = useQueryClient()
  const bundle = useQuery(bundleQuery(slug))
  const [goneError, setGoneError] = useState<unknown>(null)
  const [wasOpenedHere, setOpenedHere] = useState(false)
  const show = (opened: OpenBundle) => {
    setOpenedHere(true)
    setGoneError(null)
    queryClient.setQueryData(bundleKey(slug), opened)
  }
  const retry = () => void bundle.refetch()
  const reopen = () => {
    forgetTicket(slug)
    retry()
  }
  const error = goneError ?? bundle.error
  const isSealed = hasCode(error, 'bundle.proof_missing')
  const tellSealed = useEffectEvent(onSealed)
  useEffect(() => {
    if (isSealed) tellSealed()
  }, [isSealed])
  if (mayAsk(error)) {
    return (
      <UnlessSealed slug={slug} onSealed={onSealed}>
        <AskFirst
          place={{ kind: 'bundle', slug }}
          error={error}
          onOpen={({ kind, contents }) => {
            if (kind !== 'bundle' || contents.sealed !== null) return
            storeTicket(slug, contents)
            show(contents)
          }}
          onDirect={retry}
          renderFailure={(failure, onRetry) => <BundleFailure error={failure} onRetry={onRetry} />}
        />
      </UnlessSealed>
    )
  }
  if (hasCode(error, 'bundle.password_missing', 'bundle.password_wrong'))
    return <Locked slug={slug} onOpen={show} onGone={setGoneError} />
  if (isSealed) return <WaitingBundle slug={slug} />
  if (error) return <BundleFailure error={error} onRetry={retry} />
  if (!bundle.data) return <WaitingBundle slug={slug} />
  return (
    <BundleView
      key={`${bundle.data.revision} ${bundle.data.ticket}`}
      bundle={bundle.data}
      hasFocus={wasOpenedHere}
      onReopen={reopen}
    />
  )
}

interface UnlessSealedProps {
  slug: string
  onSealed: () => void
  children: ReactNode
}

/**
 * Shows its children only if the bundle is not encrypted, or no longer available. An encrypted bundle needs its key
 * before the reader confirms, and the refusal of the server does not say whether the bundle is encrypted.
 */
function UnlessSealed({ slug, onSealed, children }: UnlessSealedProps) {
  const sealed = useQuery({
    queryKey: ['bundle-is-sealed', slug],
    queryFn: () => isSealedBundle(slug),
    retry: false,
    gcTime: 0,
    staleTime: 'static',
    refetchOnReconnect: false,
  })
  const tellSealed = useEffectEvent(onSealed)
  useEffect(() => {
    if (sealed.data) tellSealed()
  }, [sealed.data])
  if (sealed.data === false || isGone(sealed.error)) return children
  if (sealed.error) return <BundleFailure error={sealed.error} onRetry={() => void sealed.refetch()} />
  return <WaitingBundle slug={slug} />
}

interface LockedProps {
  slug: string
  onOpen: (bundle: OpenBundle) => void
  onGone: (error: unknown) => void
}

function Locked({ slug, onOpen, onGone }: LockedProps) {
  const { t } = useT()
  usePageTitle(t('bundle.title'))
  return (
    <UnlockForm
      title={t('bundle.locked.title')}
      text={null}
      words={{
        password: t('bundle.locked.password'),
        open: t('bundle.locked.open'),
        missing: t('errors.bundle.password_missing'),
      }}
      unlock={async (password) => onOpen(await openBundle(slug, password))}
      // The owner can change the bundle so that its opening requires confirmation. A different page then opens the
      // bundle.
      isGone={(error) => isGone(error) || mayAsk(error)}
      onGone={onGone}
    />
  )
}
