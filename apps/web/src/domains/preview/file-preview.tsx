import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type FileKind } from './kinds/file-kind.ts'
import { useT } from '../../i18n/use-translation.ts'
import { FailedBanner } from '../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { FileIcon } from './kinds/file-icon.tsx'
import styles from './file-preview.module.css'
import { PreviewBoundary } from './preview-boundary.tsx'
import { PreviewFailure } from './preview-failure.tsx'
import type { PreviewSource } from './preview-source.ts'
import { ProviderMenu } from './provider-menu.tsx'
import { providerQuery, providersOf } from './prepare-preview.ts'
import { getProvider, type Playing, type PreviewProvider, type ProviderName } from './providers.ts'
import { type ShownKind, useShownKind } from './kinds/shown-kind.ts'

interface FilePreviewProps {
  source: PreviewSource
  kind: FileKind
  /** Whether the parent has a fixed height, which the preview fills. */
  isFull?: boolean
  playing?: Playing
}

/** Previews files that a browser can display safely, and shows facts about all others. */
export function FilePreview({ source, kind: expected, isFull = false, playing }: FilePreviewProps) {
  const { t } = useT()
  const shown = useShownKind(source, expected)
  if (source.sizeBytes === 0) return <EmptyFile kind={expected} />
  if (shown === null) return <SkeletonLines label={t('preview.loading')} />
  return <Chosen key={source.textUrl} {...{ source, shown, isFull }} {...(playing && { playing })} />
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

interface ChosenProps extends Pick<FilePreviewProps, 'source' | 'playing'> {
  shown: ShownKind
  isFull: boolean
}

/** Shows the best matching preview, or the one that the user has selected. */
function Chosen({ source, shown, isFull, playing }: ChosenProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const { kind } = shown
  const providers: readonly PreviewProvider[] = providersOf(source, shown)
  const [picked, setPicked] = useState<ProviderName | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [instead, setInstead] = useState<{ readonly of: ProviderName; readonly as: ProviderName } | null>(
    null,
  )
  const provider = getProvider(picked ?? providers[0]?.name ?? 'facts')
  const loaded = useQuery(providerQuery(provider))
  const retry = () => {
    void queryClient.resetQueries({ queryKey: ['preview', source.textUrl] })
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
      {shown.isDisguised && provider.name !== 'text' && (
        <Disguised kind={kind} onShowText={() => setPicked('text')} />
      )}
      <div className={styles.body}>
        <PreviewBoundary
          key={`${provider.name} ${attempt}`}
          renderError={(error) => <PreviewFailure error={error} source={source} onRetry={retry} />}
        >
          <Provider
            {...{ source, kind, extension: shown.extension, isFull }}
            {...(playing && { playing })}
            onShownAs={(as) => setInstead({ of: provider.name, as })}
          />
        </PreviewBoundary>
      </div>
      <ProviderMenu
        providers={providers}
        chosen={instead?.of === provider.name ? instead.as : provider.name}
        onChoose={setPicked}
      />
    </section>
  )
}

/**
 * Explains that the content of a file does not match its name. Otherwise the user might consider the file damaged.
 */
function Disguised({ kind, onShowText }: { kind: FileKind; onShowText: () => void }) {
  const { t } = useT()
  return (
    <Banner
      tone="warning"
      actions={
        <Button size="compact-sm" variant="default" onClick={onShowText}>
          {t('viewer.disguised.asText')}
        </Button>
      }
    >
      {kind === 'other'
        ? t('viewer.disguised.unknown')
        : t('viewer.disguised.known', { kind: t(`preview.kinds.${kind}`) })}
    </Banner>
  )
}
