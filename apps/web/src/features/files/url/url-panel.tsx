import { MIB, urlRoutes } from '@dropleaf/contract'
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type FormEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { api } from '../../../domains/api/api-client.ts'
import { formatBytes, formatDateTime, formatPercent } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { paths } from '../../../lib/paths.ts'
import { hasEnded, useServerTasks } from '../../../domains/transfers/tasks/server-tasks.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { uploadErrorText } from '../../../domains/transfers/uploads/upload-error-text.ts'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import { useFieldError } from '../../../ui/forms/use-field-error.tsx'
import {
  DEFAULT_MAX_UPLOAD_MB,
  lowestLimit,
  maxUploadQuery,
} from '../../../domains/transfers/size-limits/size-limit.ts'
import { afterFileShareChange, fileQueries } from '../api/files.queries.ts'
import type { RowStatus } from '../../../domains/transfers/rows/row-status.ts'
import rows from '../../../domains/transfers/rows/rows.module.css'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { ShareLink } from '../../../domains/transfers/rows/share-link.tsx'
import { PauseTool, RowFrame } from '../../../domains/transfers/rows/share-row.tsx'
import { StoragesFailed } from '../components/storages-failed.tsx'
import { UploadList, useShares } from '../components/upload-list.tsx'
import { UploadOptionsFields } from '../components/upload-options.tsx'
import styles from '../components/upload.module.css'
import { useUploadForm } from '../components/use-upload-form.ts'
import {
  cancelUrlRun,
  clearUrlRun,
  getUrlRun,
  isUrlRunning,
  noteTask,
  type SourceInfo,
  startUrlRun,
  subscribeUrlRun,
  URL_WAYS,
  type UrlRun,
  type UrlWay,
} from './url-import.ts'
import { isSessionError } from '../../../domains/session/session-notices.ts'

const useUrlRun = () => useSyncExternalStore(subscribeUrlRun, getUrlRun, getUrlRun)

/** Returns `null` if the text is not an HTTP URL. */
function parseUrl(text: string): string | null {
  const url = URL.parse(text.trim())
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Returns the server task of the import, which contains the progress. */
function useImportTask(run: UrlRun | null) {
  const task = useServerTasks().find(({ id }) => id === run?.taskId)
  const isWatched = run?.stage === 'importing'
  useEffect(() => {
    if (isWatched && task && hasEnded(task)) noteTask(task)
  }, [task, isWatched])
  return task
}

/** Shares a file from a URL. `children` are shown next to the options, or below them on phones. */
export function UrlPanel({ children }: { children: ReactNode }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const run = useUrlRun()
  const isRunning = isUrlRunning(run)
  const [source, setSource] = useState<SourceInfo | null>(run?.order.source ?? null)
  const [name, setName] = useState(run?.order.name ?? '')
  const [way, setWay] = useState<UrlWay>('server')
  const storages = useQuery(fileQueries.storages())
  const limit = useQuery(maxUploadQuery())
  const form = useUploadForm(storages.data ?? [])
  const options = form.read(1)
  const stage = run?.stage
  useEffect(() => {
    if (stage === 'completed') afterFileShareChange(queryClient)
  }, [stage, queryClient])
  const rootId = useId()
  const wrong = useWrongFields(rootId, options === null || name.trim() === '')
  const start = () => {
    if (!source || isRunning) return
    if (!options || name.trim() === '') {
      wrong.refuse()
      return
    }
    const { limitBytes } = lowestLimit({
      maxUploadBytes: (limit.data ?? DEFAULT_MAX_UPLOAD_MB) * MIB,
      providerType: form.providerType,
    })
    // The default remark has the same text as on the server, but in the language of the page.
    const from = t('files.url.from', { host: new URL(source.url).hostname })
    const named = { ...options, remark: options.remark || from }
    startUrlRun({ source, name: name.trim(), way, options: named, limitBytes })
  }
  return (
    <div id={rootId} className={styles.columns}>
      <div className={styles.main}>
        <AddressField
          isDisabled={isRunning}
          onFound={(found) => {
            clearUrlRun()
            setSource(found)
            setName(found?.filename ?? '')
          }}
        />
        {source && (
          <SourceFields
            source={source}
            name={name}
            onName={setName}
            way={way}
            onWay={setWay}
            isDisabled={isRunning}
          />
        )}
        {run && <RunProgress run={run} onRetry={() => startUrlRun(run.order)} />}
        <OtherUploads run={run} />
      </div>
      <form
        className={styles.side}
        aria-label={t('files.upload.options')}
        onSubmit={(event) => {
          event.preventDefault()
          start()
        }}
      >
        <StoragesFailed />
        <UploadOptionsFields form={form} linkCount={1} isRefused={wrong.isRefused} disabled={isRunning} />
        <WrongFieldsBanner refusals={wrong.refusals} />
        <SubmitButton isRunning={isRunning} isDisabled={source === null || form.configId === null} />
      </form>
      <div className={styles.below}>{children}</div>
    </div>
  )
}

/** Lists the share uploads that were not started by this import. */
function OtherUploads({ run }: { run: UrlRun | null }) {
  const entries = useShares().filter(({ key }) => key !== run?.uploadKey)
  const retry = ({ key }: UploadEntry) => uploads.retry([key])
  return (
    <UploadList
      entries={entries}
      problemOf={() => null}
      picks={[]}
      onRetry={retry}
      onFiles={() => undefined}
    />
  )
}

function SubmitButton({ isRunning, isDisabled }: { isRunning: boolean; isDisabled: boolean }) {
  const { t } = useT()
  return (
    <div className={styles.submit}>
      {/* There are two buttons, because a button that changed its type during the click would submit the form. */}
      {isRunning && (
        <Button variant="default" fullWidth onClick={cancelUrlRun}>
          {t('common.cancel')}
        </Button>
      )}
      {!isRunning && (
        <Button type="submit" fullWidth disabled={isDisabled}>
          {t('files.upload.start')}
        </Button>
      )}
    </div>
  )
}

interface SourceFieldsProps {
  source: SourceInfo
  name: string
  onName: (name: string) => void
  way: UrlWay
  onWay: (way: UrlWay) => void
  isDisabled: boolean
}

function SourceFields({ source, name, onName, way, onWay, isDisabled }: SourceFieldsProps) {
  const { t } = useT()
  return (
    <>
      {!source.answered && <Banner tone="warning">{t('files.url.silent')}</Banner>}
      <SourceFacts source={source} />
      <TextInput
        label={t('files.url.name')}
        aria-invalid={name.trim() === ''}
        value={name}
        disabled={isDisabled}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <RadioField
        label={t('files.url.way')}
        value={way}
        disabled={isDisabled}
        options={URL_WAYS.map((value) => ({
          value,
          label: t(`files.url.ways.${value}`),
          hint:
            value === 'browser' && !source.corsSupported
              ? t('files.url.hints.browserBlocked')
              : t(`files.url.hints.${value}`),
        }))}
        onChange={onWay}
      />
    </>
  )
}

interface AddressFieldProps {
  isDisabled: boolean
  onFound: (source: SourceInfo | null) => void
}

/** Asks for a URL and requests information about it from the server. */
function AddressField({ isDisabled, onFound }: AddressFieldProps) {
  const { t } = useT()
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { field, said, refuse, clear } = useFieldError()
  const analyse = async (event: FormEvent) => {
    event.preventDefault()
    const url = parseUrl(text)
    onFound(null)
    if (url === null) {
      refuse(t('errors.url.invalid'))
      return
    }
    clear()
    setBusy(true)
    try {
      onFound((await api(urlRoutes.info, { body: { url } })).data)
    } catch (error) {
      // The login dialog already shows this error.
      if (!isSessionError(error)) refuse(errorText(error))
    }
    setBusy(false)
  }
  return (
    <form className={styles.address} noValidate onSubmit={(event) => void analyse(event)}>
      <TextInput
        ref={field}
        className={styles.addressInput ?? ''}
        type="url"
        inputMode="url"
        label={t('files.url.address')}
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        value={text}
        disabled={isDisabled}
        {...said}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" variant="light" loading={isBusy} disabled={isDisabled || text.trim() === ''}>
        {t('files.url.analyse')}
      </Button>
    </form>
  )
}

function SourceFacts({ source }: { source: SourceInfo }) {
  const { t, language } = useT()
  const facts = [
    source.size === null ? t('files.url.unknownSize') : formatBytes(source.size, language),
    source.contentType,
    ...(source.lastModified === null
      ? []
      : [t('files.url.modified', { date: formatDateTime(source.lastModified, language) })]),
  ]
  return (
    <div>
      <div className={rows.rowName}>{source.filename}</div>
      <div className={rows.rowState}>{facts.join(' · ')}</div>
    </div>
  )
}

function RunProgress({ run, onRetry }: { run: UrlRun; onRetry: () => void }) {
  const { t, language } = useT()
  const task = useImportTask(run)
  const { stage, bytesPerSecond, slug, order, error } = run
  const progress = task?.progress
  const imported =
    progress?.totalBytes && stage === 'importing'
      ? Math.min(99, Math.floor((progress.doneBytes / progress.totalBytes) * 100))
      : null
  const percent = stage === 'importing' ? imported : run.percent
  const figures = [
    ...(percent === null || !isUrlRunning(run) ? [] : [formatPercent(percent / 100, language)]),
    ...(stage === 'importing' && progress ? [formatBytes(progress.doneBytes, language)] : []),
    ...(bytesPerSecond === null
      ? []
      : [t('files.upload.speed', { speed: formatBytes(bytesPerSecond, language) })]),
  ]
  const section = useRef<HTMLElement>(null)
  const isStarting = stage === 'starting'
  useEffect(() => {
    // Scrolls to the progress, because it is far above the button on phones.
    if (isStarting) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isStarting])
  return (
    <section ref={section} aria-label={t('files.url.progress')} data-stage={stage}>
      <ul className={rows.list}>
        <RowFrame
          id="url-run"
          name={order.name}
          status={ROW_STATUS[stage]}
          sizeBytes={order.source.size}
          state={
            <span>
              {/* Only the stage is a live region, because the numbers change constantly. */}
              <output>{t(`files.url.stages.${stage}`)}</output>
              {figures.map((text) => ` · ${text}`)}
            </span>
          }
          tools={stage === 'uploading' && run.uploadKey !== null && <UploadTools uploadKey={run.uploadKey} />}
        >
          {isUrlRunning(run) && (
            <progress
              className={rows.progress}
              aria-label={order.name}
              max={100}
              {...(percent !== null && { value: percent })}
            />
          )}
          {slug !== null && <ShareLink name={order.name} link={fileShareUrl(slug)} path={paths.file(slug)} />}
        </RowFrame>
      </ul>
      {stage === 'failed' && (
        <FailedBanner error={error} text={taskMessage(error) ?? uploadErrorText(error)} onRetry={onRetry} />
      )}
    </section>
  )
}

const ROW_STATUS: Readonly<Record<UrlRun['stage'], RowStatus>> = {
  starting: 'uploading',
  downloading: 'uploading',
  proxying: 'uploading',
  uploading: 'uploading',
  importing: 'uploading',
  completed: 'success',
  failed: 'error',
  cancelled: 'error',
}

/** Button that pauses or resumes the upload of the downloaded file. */
function UploadTools({ uploadKey }: { uploadKey: string }) {
  const entry = useShares().find(({ key }) => key === uploadKey)
  return entry ? <PauseTool entry={entry} /> : null
}

/** Returns the message of a server task's error; `null` for any other error. */
function taskMessage(error: unknown): string | null {
  if (error instanceof Error || typeof error !== 'object' || error === null) return null
  const { message } = error as { message?: unknown }
  return typeof message === 'string' ? message : null
}
