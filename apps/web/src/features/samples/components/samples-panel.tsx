import type { Sample } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconFileText, IconFolder, IconTable, type IconProps } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { paths } from '../../../lib/paths.ts'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { passFocusOn } from '../../../ui/focus/focus-restore.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { makeSamples, removeSamples, sampleQueries } from '../api/samples.queries.ts'
import styles from './samples.module.css'

const ICONS: Readonly<Record<Sample['kind'], ComponentType<IconProps>>> = {
  text: IconFileText,
  file: IconTable,
  folder: IconFolder,
}

const PATHS: Readonly<Record<Sample['kind'], (at: string) => string>> = {
  text: paths.paste,
  file: paths.file,
  folder: paths.explorer,
}

/** Creates and removes samples, and refreshes all data on the page. */
function useSampleChanges() {
  const { t } = useT()
  const queryClient = useQueryClient()
  const refresh = () =>
    queryClient.invalidateQueries({ predicate: ({ meta }) => meta?.['isPrivate'] === true })
  const fail = (error: unknown) => notify('error', errorText(error))
  const making = useMutation({
    mutationFn: makeSamples,
    onSuccess: () => notify('success', t('samples.made')),
    onError: fail,
    // Also refreshes after an error, because some samples might have been created.
    onSettled: refresh,
  })
  const removing = useMutation({
    mutationFn: removeSamples,
    onSuccess: (kept) => {
      const names = kept.map(({ name }) => name).join(', ')
      notify('success', kept.length === 0 ? t('samples.removed') : t('samples.kept', { names }))
    },
    onError: fail,
    onSettled: refresh,
  })
  return { making, removing }
}

/** Creates and removes sample content for trying the product. */
export function SamplesPanel() {
  const { t } = useT()
  const samples = useQuery(sampleQueries.all())
  const { making, removing } = useSampleChanges()
  const hasSome = samples.data !== undefined && samples.data.length > 0
  return (
    <Panel
      ref={passFocusOn}
      title={t('samples.title')}
      actions={
        samples.data &&
        (hasSome ? (
          // The keys make the two buttons separate elements, because a double click on “create” must not also remove
          // the samples.
          <Button
            key="remove"
            ref={passFocusOn}
            size="compact-sm"
            variant="default"
            loading={removing.isPending}
            onClick={() => removing.mutate()}
          >
            {t('samples.remove')}
          </Button>
        ) : (
          <Button
            key="make"
            size="compact-sm"
            variant="default"
            loading={making.isPending}
            onClick={() => making.mutate()}
          >
            {t('samples.make')}
          </Button>
        ))
      }
    >
      {samples.isError && <FailedBanner error={samples.error} onRetry={() => void samples.refetch()} />}
      {samples.isPending && <SkeletonLines label={t('common.loading')} widths={['80%', '60%']} />}
      {samples.data && <p className={styles.text}>{hasSome ? t('samples.text') : t('samples.offer')}</p>}
      {samples.data && !hasSome && <p className={styles.text}>{t('samples.offerHint')}</p>}
      {hasSome && <SampleList samples={samples.data} areNew={making.isSuccess} />}
    </Panel>
  )
}

function SampleList({ samples, areNew }: { samples: readonly Sample[]; areNew: boolean }) {
  const { t } = useT()
  return (
    <ul className={styles.list}>
      {samples.map(({ kind, name, at }, index) => {
        const Icon = ICONS[kind]
        return (
          <li key={kind} className={styles.sample}>
            <Icon size={18} aria-hidden />
            <span className={styles.kind}>{t(`samples.kinds.${kind}`)}</span>
            <a
              ref={areNew && index === 0 ? goOnHere : undefined}
              href={hrefOf(PATHS[kind](at))}
              target="_blank"
              rel="noopener"
            >
              <bdi>{name}</bdi>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
