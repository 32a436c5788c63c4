import type { OpenBundle } from '@dropleaf/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { bundleKey, bundleQuery, openBundle } from '../../../features/bundle-reading/api/bundles.queries.ts'
import { BundleFailure, isGone } from '../../../features/bundle-reading/components/bundle-failure.tsx'
import { mayBeKey } from '../../../features/bundle-reading/sealed/address-key.ts'
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
 * Treats a fragment that looks like a key as a key. If the fragment is the id of a heading instead, the server reports
 * that the bundle is not encrypted.
 */
function BundleBySlug({ slug }: { slug: string }) {
  const [isSealed, setSealed] = useState(() => mayBeKey(window.location.hash))
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
