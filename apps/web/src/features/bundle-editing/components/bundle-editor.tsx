import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { fetchPart } from '../../../domains/offline/missing-part.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { loadWords } from '../../../i18n/i18n.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { isSessionError } from '../../../domains/session/session-notices.ts'
import { getSession, subscribeSession } from '../../../domains/session/session.ts'
import { useOnLogout } from '../../../domains/session/use-on-logout.ts'
import { useWork } from '../../../domains/session/use-work.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { notify } from '../../../lib/notices.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { openAccess } from '../api/open-access.ts'
import { ownBundleQueries } from '../api/own-bundles.queries.ts'
import { passFocusToPage } from '../../../ui/focus/focus.ts'
import { BundleForm } from './bundle-form.tsx'

/** The editor of encrypted bundles is loaded on demand, because other bundles do not need it. */
const SealedEditor = lazy(async () => {
  const [module] = await fetchPart(
    Promise.all([import('../sealed/sealed-editor.tsx'), loadWords('sealedReading'), loadWords('later')]),
  )
  return { default: module.SealedEditor }
})

interface BundleEditorProps {
  /** Id or slug of the bundle. */
  id: string
  onLeave: () => void
  /** Called after the bundle has changed. */
  onChanged: () => void
}

/** Loads a bundle of the user, and opens it for editing. */
export function BundleEditor({ id, onLeave, onChanged }: BundleEditorProps) {
  const { t } = useT()
  const detail = useQuery(ownBundleQueries.detail(id))
  /** Counts how often the form was reset. A new number remounts the form. */
  const [filling, setFilling] = useState(0)
  const { refetch } = detail
  useWork()
  useEffect(() => passFocusToPage, [])
  useOnLogout(onLeave)
  const waits = isSessionError(detail.error) && !detail.data
  useEffect(() => {
    if (!waits) return undefined
    return subscribeSession(() => {
      if (getSession().kind !== 'none') void refetch()
    })
  }, [waits, refetch])
  const load = async () => {
    const { isError, error } = await refetch()
    if (isError) notify('error', errorText(error))
    return !isError
  }
  const loaded = detail.data
  if (loaded) {
    const common = {
      detail: loaded,
      takesFocus: filling > 0,
      onReload: async () => {
        onChanged()
        if (await load()) setFilling(filling + 1)
      },
      onSettings: () => {
        onChanged()
        void load()
      },
      onLeave,
    }
    if (loaded.sealed === null)
      return <BundleForm key={filling} {...common} makeAccess={() => openAccess(loaded)} />
    return (
      <Suspense fallback={<SkeletonLines label={t('bundleEditing.loading')} />}>
        <SealedEditor {...common} filling={filling} />
      </Suspense>
    )
  }
  if (!detail.error) return <SkeletonLines label={t('bundleEditing.loading')} />
  const isHopeless = hasCode(detail.error, 'bundle.not_found', 'auth.forbidden')
  return (
    <FailedBanner
      error={detail.error}
      onRetry={isHopeless ? null : () => void refetch()}
      more={
        <Button size="compact-sm" variant="default" onClick={onLeave}>
          {t('bundleEditing.back')}
        </Button>
      }
    />
  )
}
