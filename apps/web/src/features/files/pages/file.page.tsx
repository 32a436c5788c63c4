import type { PublicFile } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEffect, useState } from 'react'
import { paths } from '../../../lib/paths.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { Prepare } from '../../../lib/prepare.ts'
import { preparePreview } from '../../../domains/preview/prepare-preview.ts'
import { AskFirst, mayAsk } from '../../../domains/shares/opening/ask-first.tsx'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { fileQueries } from '../api/files.queries.ts'
import { FileFailure } from '../components/file-failure.tsx'
import { FileLocked } from '../components/file-locked.tsx'
import { FileView } from '../components/file-view.tsx'
import styles from '../components/file-view.module.css'
import { findSource } from '../file-source.ts'

const route = getRouteApi('/file/$slug')

/** Loads the share and its preview before the page is shown. */
export const prepare: Prepare = async (client, { params }) => {
  const query = fileQueries.public(params['slug'] ?? '')
  await client.prefetchQuery(query)
  const file = client.getQueryData(query.queryKey)
  const source = file && findSource(file)
  if (source) await preparePreview(client, source, findFileKind(file))
}

export function FilePage(): ReactNode {
  const { slug } = route.useParams()
  return <FileBySlug key={slug} slug={slug} />
}

function FileBySlug({ slug }: { slug: string }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [goneError, setGoneError] = useState<unknown>(null)
  const [isDeleted, setDeleted] = useState(false)
  const [wasLocked, setWasLocked] = useState(false)
  const file = useQuery({ ...fileQueries.public(slug), enabled: !isDeleted })
  useForgottenFailure(slug)
  const show = (next: PublicFile) => {
    queryClient.setQueryData(fileQueries.public(next.slug).queryKey, next)
    if (next.slug !== slug) void navigate({ to: '/file/$slug', params: { slug: next.slug }, replace: true })
  }
  const open = (opened: PublicFile) => {
    setWasLocked(true)
    show(opened)
  }
  if (isDeleted) return <FileDeleted slug={slug} />
  const error = goneError ?? file.error
  const retry = () => void file.refetch()
  if (mayAsk(error)) {
    return (
      <AskFirst
        place={{ kind: 'file', slug }}
        error={error}
        onOpen={({ kind, contents }) => {
          if (kind !== 'file') return
          setGoneError(null)
          open(contents)
        }}
        onDirect={retry}
        renderFailure={(failure, onRetry) => <FileFailure error={failure} onRetry={onRetry} />}
      />
    )
  }
  if (error) return <FileFailure error={error} onRetry={retry} />
  if (!file.data) {
    return (
      <div className={styles.page}>
        <SkeletonLines label={t('common.loading')} widths={['50%', '20%', '100%', '100%', '70%']} />
      </div>
    )
  }
  if (file.data.requires_password && !file.data.downloadUrl) {
    return <FileLocked file={file.data} slug={slug} onOpen={open} onGone={setGoneError} />
  }
  return (
    <FileView
      file={file.data}
      wasLocked={wasLocked}
      onChanged={show}
      onDeleted={() => setDeleted(true)}
      onReload={retry}
    />
  )
}

/** Removes a failed query when the user leaves the page, so that the next visit loads the share again. */
function useForgottenFailure(slug: string) {
  const queryClient = useQueryClient()
  useEffect(
    () => () =>
      queryClient.removeQueries({
        ...fileQueries.public(slug),
        predicate: ({ state }) => state.status === 'error',
      }),
    [queryClient, slug],
  )
}

function FileDeleted({ slug }: { slug: string }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  useEffect(() => queryClient.removeQueries(fileQueries.public(slug)), [queryClient, slug])
  return (
    <PageMessage
      icon={<IconTrash size={28} aria-hidden />}
      title={t('files.remove.done')}
      text={t('files.remove.doneText')}
    >
      <Button renderRoot={(props) => <Link to={paths.upload} {...props} />}>
        {t('files.view.gone.goUpload')}
      </Button>
    </PageMessage>
  )
}
