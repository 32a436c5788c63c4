import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { type FileKind } from '../../lib/file-kind.ts'
import { loadWords } from '../../lib/i18n/i18n.ts'
import { useT } from '../../lib/i18n/use-translation.ts'
import { FailedBanner } from '../failed-banner.tsx'
import { SkeletonLines } from '../skeleton.tsx'
import { FileIcon } from './file-icon.tsx'
import styles from './file-preview.module.css'
import { PreviewBoundary } from './preview-boundary.tsx'
import { PreviewFailure } from './preview-failure.tsx'
import type { PreviewSource } from './preview-source.ts'
import { ProviderMenu } from './provider-menu.tsx'
import { findProviders, getProvider, type Playing, type ProviderName } from './providers.ts'
import { useShownKind } from './shown-kind.ts'

interface FilePreviewProps {
  source: PreviewSource
  kind: FileKind
  /** It has a place of a height of its own. */
  isFull?: boolean
  playing?: Playing
}

/** Shows what a browser can show safely. Everything else says what it is. */
export function FilePreview({ source, kind: told, isFull = false, playing }: FilePreviewProps) {
  const { t } = useT()
  const kind = useShownKind(source, told)
  if (source.sizeBytes === 0) return <EmptyFile kind={told} />
  if (kind === null) return <SkeletonLines label={t('preview.loading')} />
  return <Chosen key={source.textUrl} {...{ source, kind, isFull }} {...(playing && { playing })} />
}

function EmptyFile({ kind }: { kind: FileKind }) {
  const { t } = useT()
  return (
    <div className={styles.none}>
      <FileIcon kind={kind} size={40} />
      <p>{t('preview.empty')}</p>
    </div>
  )
}

/** One of those that fit, the best at first. */
function Chosen({ source, kind, isFull, playing }: FilePreviewProps & { isFull: boolean }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const providers = findProviders({ ...source, kind, isPublic: source.findPublicUrl !== undefined })
  const [wish, setWish] = useState<ProviderName | null>(null)
  const [attempt, setAttempt] = useState(0)
  const provider = getProvider(wish ?? providers[0]?.name ?? 'facts')
  const loaded = useQuery({
    queryKey: ['preview-provider', provider.name],
    queryFn: async () => {
      const parts = Promise.all([provider.load(), loadWords('viewer')])
      const [Provider] = await parts.catch((cause: unknown) => {
        if (navigator.onLine) throw cause
        throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
      })
      return { Provider }
    },
    staleTime: Infinity,
    structuralSharing: false,
  })
  const retry = () => {
    queryClient.removeQueries({ queryKey: ['preview', source.textUrl] })
    setAttempt(attempt + 1)
  }
  if (loaded.isError) return <FailedBanner error={loaded.error} onRetry={() => void loaded.refetch()} />
  if (!loaded.data) return <SkeletonLines label={t('preview.loading')} />
  const { Provider } = loaded.data
  return (
    <section
      className={styles.preview}
      aria-label={t('preview.title')}
      data-provider={provider.name}
      data-full={isFull || undefined}
    >
      <div className={styles.body}>
        <PreviewBoundary
          key={`${provider.name} ${attempt}`}
          renderError={(error) => <PreviewFailure error={error} source={source} onRetry={retry} />}
        >
          <Provider {...{ source, kind, isFull }} {...(playing && { playing })} />
        </PreviewBoundary>
      </div>
      <ProviderMenu providers={providers} chosen={provider.name} onChoose={setWish} />
    </section>
  )
}
