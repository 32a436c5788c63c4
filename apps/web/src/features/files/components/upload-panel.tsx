import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef } from 'react'
import { formatByteLimit, formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import {
  getPicks,
  removePicks,
  type SharePick,
  usePicks,
} from '../../../domains/transfers/uploads/share-picks.ts'
// Imported for its side effect: stores the names of chosen files when the user leaves the page.
import '../../../domains/transfers/uploads/restore-uploads.ts'
import {
  addShares,
  canStartAgain,
  numberOf,
  startSharesAgain,
  whenSettled,
} from '../../../domains/transfers/uploads/share-uploads.ts'
import {
  findSizeProblem,
  lowestLimit,
  type SizeLimits,
} from '../../../domains/transfers/uploads/size-limit.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { useFileIntake } from '../../../domains/transfers/uploads/use-file-intake.ts'
import { hasKeyboard } from '../../../ui/focus/focus.ts'
import { focusItem, useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { fileQueries } from '../api/files.queries.ts'
import { DropZone } from './drop-zone.tsx'
import { StoragesFailed } from './storages-failed.tsx'
import styles from './upload.module.css'
import { SaidProgress, UploadList, useShares } from './upload-list.tsx'
import { UploadOptionsFields } from './upload-options.tsx'
import { useIntake } from './use-intake.ts'
import { type UploadForm, useUploadForm } from './use-upload-form.ts'

/**
 * Resolves after rendering and focus restoration, which both run at the end of the current task in an unspecified
 * order.
 */
const drawn = () => new Promise((resolve) => setTimeout(resolve))

const isReady = ({ bytes, file }: SharePick, limits: SizeLimits) =>
  bytes !== null && findSizeProblem(file.size, limits) === null

/** Returns what the start button uploads: chosen files and failed uploads. */
function useWaiting(limits: SizeLimits) {
  const entries = useShares()
  const picks = usePicks()
  const failed = entries.filter((entry) => rowStatusOf(entry) === 'error')
  return { entries, picks, ready: picks.filter((pick) => isReady(pick, limits)), failed }
}

type Waiting = Pick<ReturnType<typeof useWaiting>, 'ready' | 'failed'>

const keysOf = (entries: readonly UploadEntry[]) => entries.map(({ key }) => key)

/** Starts uploads with the current options. @returns the keys of their entries, or `null` if the form is invalid */
function startUploads(form: UploadForm, { ready, failed }: Waiting): readonly string[] | null {
  const options = form.read(ready.length + failed.length)
  if (options === null) return null
  const again = startSharesAgain(failed, options)
  const others = keysOf(failed.filter((entry) => !canStartAgain(entry) && entry.state === 'failed'))
  uploads.retry(others)
  const isSingle = ready.length + failed.length === 1
  // Numbers continue after those of retried uploads, so that each link suffix in the batch is different.
  const before = Math.max(failed.length, ...failed.map(numberOf))
  const chosen = ready.flatMap(({ bytes, handle }, index) =>
    bytes ? [{ file: bytes, handle, number: isSingle ? null : before + index + 1 }] : [],
  )
  const fresh = addShares(chosen, options)
  removePicks(ready.map(({ id }) => id))
  return [...keysOf(again), ...others, ...keysOf(fresh)]
}

/** Returns a function that starts the waiting uploads. */
function useStart(form: UploadForm) {
  const { t } = useT()
  return async (waiting: Waiting): Promise<readonly string[]> => {
    const keys = startUploads(form, waiting)
    if (keys === null || keys.length === 0) return []
    const doneCount = await whenSettled(keys)
    if (doneCount < keys.length) return keys
    notify('success', t('files.upload.allDone', { count: doneCount }))
    const all = uploads.getAll().filter(({ batch }) => batch.kind === 'share')
    if (getPicks().length === 0 && all.every(({ state }) => state === 'completed')) form.clearPersonal()
    return keys
  }
}

/** Warns before the start if the storage has too little free space. */
function ShortRoom({ configId, ready }: { configId: string | null } & Pick<Waiting, 'ready'>) {
  const { t, language } = useT()
  const room = useQuery({
    ...fileQueries.room(configId ?? ''),
    enabled: configId !== null && ready.length > 0,
  })
  const neededBytes = ready.reduce((sum, { file }) => sum + file.size, 0)
  const remaining = room.data ?? null
  if (remaining === null || neededBytes <= remaining) return null
  return (
    <Banner tone="warning">
      {t('files.upload.shortRoom', {
        needed: formatBytes(neededBytes, language),
        left: formatBytes(remaining, language),
      })}
    </Banner>
  )
}

/**
 * Files to share and their options. `children` are shown after the files: next to the options, or below them on phones.
 */
export function UploadPanel({ children }: { children: ReactNode }) {
  const { t, language } = useT()
  const storages = useQuery(fileQueries.storages())
  const form = useUploadForm(storages.data ?? [])
  const { take, takeFiles, takeData, refusals, limitBytes } = useIntake()
  const limits = { maxUploadBytes: limitBytes, providerType: form.providerType }
  const waiting = useWaiting(limits)
  const { entries, picks, ready, failed } = waiting
  const isOver = useFileIntake((data, isPaste) => void takeData(data, isPaste))
  const waitingCount = ready.length + failed.length
  const start = useStart(form)
  const main = useRef<HTMLDivElement>(null)
  useKeptFocus(main)
  const formId = useId()
  const wrong = useWrongFields(formId, form.read(waitingCount) === null)
  const side = useRef<HTMLFormElement>(null)
  useKeptFocus(side)
  const run = async () => {
    const isByKeys = hasKeyboard(side.current?.querySelector(':focus') ?? null)
    const done = start(waiting)
    // On phones, the button is far below the rows with the progress.
    main.current?.querySelector('section')?.scrollIntoView({ block: 'nearest' })
    const keys = await done
    await drawn()
    const links = keys.map((key) => `[data-focus-item="${key}"] a`).join()
    const isStillHere = side.current?.matches(':focus-within') ?? false
    if (isByKeys && isStillHere && links !== '')
      main.current?.querySelector<HTMLElement>(links)?.focus({ preventScroll: true })
  }
  const isBusy = entries.some((entry) => rowStatusOf(entry) === 'uploading')
  const failedCount = failed.filter(({ state }) => state === 'failed').length
  return (
    <div className={styles.columns}>
      <div ref={main} className={styles.main} tabIndex={-1}>
        <SaidProgress />
        <output className="dl-sr">
          {!isBusy && ready.length > 0 && t('files.upload.said.chosen', { count: ready.length })}
        </output>
        <DropZone
          isOver={isOver}
          limit={formatByteLimit(lowestLimit(limits).limitBytes, language)}
          onFiles={take}
        />
        {refusals.length > 0 && <Refusals texts={refusals} />}
        <ShortRoom configId={form.configId} ready={ready} />
        {failedCount > 0 && !isBusy && (
          <Banner tone="warning">{t('files.upload.someFailed', { count: failedCount })}</Banner>
        )}
        <UploadList
          entries={entries}
          picks={picks}
          problemOf={(sizeBytes) => findSizeProblem(sizeBytes, limits)}
          onRetry={(entry) => void start({ ready: [], failed: [entry] })}
          onFiles={takeFiles}
        />
      </div>
      <form
        ref={side}
        id={formId}
        className={styles.side}
        tabIndex={-1}
        aria-label={t('files.upload.options')}
        onSubmit={(event) => {
          event.preventDefault()
          if (form.read(waitingCount) === null) wrong.refuse()
          else void run()
        }}
      >
        <StoragesFailed />
        <UploadOptionsFields form={form} fileCount={waitingCount} isRefused={wrong.isRefused} />
        <WrongFieldsBanner refusals={wrong.refusals} />
        <SubmitButton waiting={waiting} entries={entries} hasStorage={form.configId !== null} />
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

interface SubmitButtonProps {
  waiting: Waiting
  entries: readonly UploadEntry[]
  hasStorage: boolean
}

function SubmitButton({ waiting: { ready, failed }, entries, hasStorage }: SubmitButtonProps) {
  const { t } = useT()
  const isOnlyRetry = failed.length > 0 && ready.length === 0
  const running = entries.filter((entry) => rowStatusOf(entry) === 'uploading')
  const isWaiting = ready.length + failed.length > 0
  return (
    <div className={styles.submit} {...focusItem('submit')}>
      {(isWaiting || running.length === 0) && (
        <Button type="submit" fullWidth disabled={!isWaiting || !hasStorage}>
          {isOnlyRetry ? t('files.upload.startAgain') : t('files.upload.start')}
        </Button>
      )}
      {running.length > 0 && (
        <Button variant="default" fullWidth onClick={() => uploads.cancel(keysOf(running))}>
          {t('files.upload.cancelAll')}
        </Button>
      )}
    </div>
  )
}
