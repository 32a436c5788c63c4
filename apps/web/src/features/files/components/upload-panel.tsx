import { MIB } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useId, useRef, useState, useSyncExternalStore } from 'react'
import { formatBytes, formatPercent } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { nameScreenshot } from '../../../domains/transfers/uploads/picked-files.ts'
import { hasKeyboard } from '../../../ui/focus/focus.ts'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { afterFileShareChange, DEFAULT_MAX_UPLOAD_MB, fileQueries } from '../api/files.queries.ts'
import type { PickedFiles } from '../upload/picked-files.ts'
import { type Announcement, announceProgress } from '../upload/progress-announcements.ts'
import { isCancelled, isUnderWay, type UploadItem } from '../upload/upload-item.ts'
import { uploads } from '../upload/uploads.ts'
import { DropZone } from './drop-zone.tsx'
import { StoragesFailed } from './storages-failed.tsx'
import styles from './upload.module.css'
import { UploadOptionsFields } from './upload-options.tsx'
import { UploadRow } from './upload-row.tsx'
import { useFileIntake } from './use-file-intake.ts'
import type { UploadForm } from './use-upload-form.ts'
import { useUploadForm } from './use-upload-form.ts'

const useUploads = () =>
  useSyncExternalStore(
    (listener) => uploads.subscribe(listener),
    () => uploads.getItems(),
  )

const route = getRouteApi('/upload')

/** Files from other apps, as soon as the size limit is known. */
function useIncomingFiles(isReady: boolean, onFiles: (files: readonly File[]) => void) {
  const { shared } = route.useSearch()
  const navigate = route.useNavigate()
  const isTaken = useRef(false)
  const take = useEffectEvent(async () => {
    isTaken.current = true
    const { takeIncomingFiles } = await import('../upload/incoming-files.ts')
    const files = await takeIncomingFiles()
    if (files.length > 0) onFiles(files)
    if (shared !== undefined) await navigate({ search: {}, replace: true })
  })
  useEffect(() => {
    if (isReady && !isTaken.current) take().catch(reportError)
  }, [isReady])
}

/** Adds files, and explains which ones were refused. */
function useIntake() {
  const { t, language } = useT()
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const limit = useQuery(fileQueries.maxUploadMb())
  const limitBytes = (limit.data ?? DEFAULT_MAX_UPLOAD_MB) * MIB
  const limitText = formatBytes(limitBytes, language)
  const take = ({ files, folderNames }: PickedFiles, isPaste: boolean) => {
    const named = isPaste ? files.map((file) => nameScreenshot(file, t('files.upload.pastedName'))) : files
    const tooLarge = named.filter(({ size }) => size > limitBytes)
    setRefusals([
      ...folderNames.map((name) => t('files.upload.isFolder', { name })),
      ...tooLarge.map(({ name, size }) =>
        t('files.upload.tooLarge', { name, size: formatBytes(size, language), limit: limitText }),
      ),
    ])
    uploads.add(named.filter(({ size }) => size <= limitBytes))
  }
  useIncomingFiles(limit.isFetched, (files) => take({ files, folderNames: [] }, false))
  return { take, refusals, limitText }
}

/** Resolves after rendering and focus restoration: both run at the end of the current task, in an unspecified order. */
const drawn = () => new Promise((resolve) => setTimeout(resolve))

/** Uploads the batch, or retries one file. */
function useStart(form: UploadForm, fileCount: number) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const start = async (onlyId?: string) => {
    const options = form.read(fileCount)
    if (options === null) return
    const { succeeded, failed } = await uploads.start(options, onlyId)
    if (succeeded > 0) afterFileShareChange(queryClient)
    if (failed > 0) return
    notify('success', t('files.upload.allDone', { count: succeeded }))
    const isAllDone = uploads.getItems().every(({ status }) => status === 'success')
    if (isAllDone) form.clearPersonal()
  }
  return start
}

/** Announces the progress to screen readers. */
function SaidProgress() {
  const { t, language } = useT()
  const [said, setSaid] = useState<Announcement | null>(null)
  useEffect(() => {
    const tell = announceProgress(() => performance.now())
    const look = () => setSaid(tell(uploads.getItems()))
    look()
    const unsubscribe = uploads.subscribe(look)
    return () => void unsubscribe()
  }, [])
  const textOf = (now: Announcement) =>
    now.kind === 'part'
      ? t('files.upload.status.uploading', { percent: formatPercent(now.share, language) })
      : t(`files.upload.said.${now.kind}`, { count: now.count })
  return <output className="dl-sr">{said && textOf(said)}</output>
}

/** The files to share with their options. `children` follows the files: beside the options, or below them on phones. */
export function UploadPanel({ children }: { children: ReactNode }) {
  const { t } = useT()
  const items = useUploads()
  const storages = useQuery(fileQueries.storages())
  const { take, refusals, limitText } = useIntake()
  const isOver = useFileIntake(take)
  const waiting = items.filter(({ status }) => status === 'pending' || status === 'error')
  const form = useUploadForm(storages.data ?? [])
  const start = useStart(form, waiting.length)
  const list = useRef<HTMLElement>(null)
  const main = useRef<HTMLDivElement>(null)
  useKeptFocus(main)
  const formId = useId()
  const wrong = useWrongFields(formId, form.read(waiting.length) === null)
  const side = useRef<HTMLFormElement>(null)
  useKeptFocus(side)
  const run = async () => {
    // On a phone the button is far below the rows that show the progress.
    list.current?.scrollIntoView({ block: 'nearest' })
    const isByKeys = hasKeyboard(side.current?.querySelector(':focus') ?? null)
    const links = waiting.map(({ id }) => `[data-focus-item="${id}"] a`).join()
    await start()
    await drawn()
    const isStillHere = side.current?.matches(':focus-within') ?? false
    if (isByKeys && isStillHere)
      list.current?.querySelector<HTMLElement>(links)?.focus({ preventScroll: true })
  }
  const isBusy = items.some(isUnderWay)
  const chosenCount = items.filter(({ status }) => status === 'pending').length
  const failedCount = items.filter((item) => item.status === 'error' && !isCancelled(item)).length
  return (
    <div className={styles.columns}>
      <div ref={main} className={styles.main} tabIndex={-1}>
        <SaidProgress />
        <output className="dl-sr">
          {!isBusy && chosenCount > 0 && t('files.upload.said.chosen', { count: chosenCount })}
        </output>
        <DropZone
          isOver={isOver}
          limit={limitText}
          onFiles={(files) => take({ files, folderNames: [] }, false)}
        />
        {refusals.length > 0 && <Refusals texts={refusals} />}
        {failedCount > 0 && !isBusy && (
          <Banner tone="warning">{t('files.upload.someFailed', { count: failedCount })}</Banner>
        )}
        {items.length > 0 && <UploadList ref={list} items={items} onRetry={(id) => void start(id)} />}
      </div>
      <form
        ref={side}
        id={formId}
        className={styles.side}
        tabIndex={-1}
        aria-label={t('files.upload.options')}
        onSubmit={(event) => {
          event.preventDefault()
          if (form.read(waiting.length) === null) wrong.refuse()
          else void run()
        }}
      >
        <StoragesFailed />
        <UploadOptionsFields
          form={form}
          fileCount={waiting.length}
          isRefused={wrong.isRefused}
          disabled={isBusy}
        />
        <WrongFieldsBanner refusals={wrong.refusals} />
        <SubmitButton waiting={waiting} isBusy={isBusy} hasStorage={form.configId !== null} />
      </form>
      <div className={styles.below}>{children}</div>
    </div>
  )
}

function Refusals({ texts }: { texts: readonly string[] }) {
  const { t } = useT()
  return (
    <Banner tone="error">
      {t('files.upload.refused')}
      <ul className={styles.refusals}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </Banner>
  )
}

interface UploadListProps {
  ref: Ref<HTMLElement>
  items: readonly UploadItem[]
  onRetry: (id: string) => void
}

function UploadList({ ref, items, onRetry }: UploadListProps) {
  const { t } = useT()
  return (
    <section ref={ref} aria-label={t('files.upload.list')}>
      <div className={styles.listHead}>
        <span>{t('files.upload.count', { count: items.length })}</span>
        <Button size="compact-sm" variant="subtle" color="gray" onClick={uploads.clear}>
          {t('files.upload.clear')}
        </Button>
      </div>
      <ul className={styles.list}>
        {items.map((item) => (
          <UploadRow
            key={item.id}
            item={item}
            onCancel={() => uploads.cancel(item.id)}
            onRetry={() => onRetry(item.id)}
            onRemove={() => uploads.remove(item.id)}
          />
        ))}
      </ul>
    </section>
  )
}

interface SubmitButtonProps {
  waiting: readonly UploadItem[]
  isBusy: boolean
  hasStorage: boolean
}

function SubmitButton({ waiting, isBusy, hasStorage }: SubmitButtonProps) {
  const { t } = useT()
  const isOnlyRetry = waiting.length > 0 && waiting.every(({ status }) => status === 'error')
  return (
    <div className={styles.submit} {...focusItem('submit')}>
      {isBusy && (
        <Button variant="default" fullWidth onClick={uploads.cancelAll}>
          {t('files.upload.cancelAll')}
        </Button>
      )}
      {!isBusy && (
        <Button type="submit" fullWidth disabled={waiting.length === 0 || !hasStorage}>
          {isOnlyRetry ? t('files.upload.startAgain') : t('files.upload.start')}
        </Button>
      )}
    </div>
  )
}
