import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { formatByteLimit, formatBytes } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { notify } from '../../../lib/notices.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { rowStatusOf } from '../../../domains/transfers/rows/row-status.ts'
import { useBundles } from '../../../domains/bundles/bundle-drafts.ts'
import { hasHalted } from '../../../domains/bundles/bundle-snapshot.ts'
import { readLinkChoice } from '../../../domains/bundles/link-choice.ts'
import { type SharePick, usePicks } from '../../../domains/transfers/uploads/share-picks.ts'
// Imported for its side effect: stores the names of chosen files when the user leaves the page.
import '../../../domains/transfers/uploads/restore-uploads.ts'
import {
  findSizeProblem,
  lowestLimit,
  type SizeLimits,
} from '../../../domains/transfers/size-limits/size-limit.ts'
import { useSealing } from '../../../domains/sealed/policy/use-sealing.ts'
import { useFileIntake } from '../../../domains/transfers/uploads/use-file-intake.ts'
import { hasKeyboard } from '../../../ui/focus/focus.ts'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { useWrongFields } from '../../../ui/forms/wrong-fields.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { fileQueries } from '../api/files.queries.ts'
import { DropZone } from './drop-zone.tsx'
import { itemPathsOf } from '../upload/item-paths.ts'
import { LinkChoiceField, NamesBanner } from '../upload/link-choice.tsx'
import { retryBundle } from '../upload/start-bundle.ts'
import styles from './upload.module.css'
import { SaidProgress, UploadList, useShares } from './upload-list.tsx'
import { UploadSide } from '../upload/upload-side.tsx'
import { useIntake } from './use-intake.ts'
import { useStart, type Waiting } from '../upload/use-start.ts'
import { useUploadForm } from './use-upload-form.ts'

/**
 * Resolves after rendering and after the restoration of the focus. Both run at the end of the current task, in an
 * unspecified order.
 */
const drawn = () => new Promise((resolve) => setTimeout(resolve))

const isReady = ({ bytes, file }: SharePick, limits: SizeLimits) =>
  bytes !== null && findSizeProblem(file.size, limits) === null

/** Returns what the start button uploads: chosen files, failed uploads and failed bundles. */
function useWaiting(limits: SizeLimits) {
  const entries = useShares()
  const picks = usePicks()
  const bundles = useBundles()
  const [choice, setChoice] = useState(() => readLinkChoice('upload'))
  const ready = picks.filter((pick) => isReady(pick, limits))
  const isChoice = ready.length > 1 || ready.some(({ folder }) => folder !== '')
  const isOne = isChoice && choice === 'one'
  const failed = entries.filter((entry) => rowStatusOf(entry) === 'error')
  const stuck = bundles.filter(({ state }) => state === 'stuck' || state === 'failed')
  const linkCount = (isOne ? 1 : ready.length) + failed.length
  const waiting: Waiting = { ready, failed, stuck, isOne }
  return { entries, picks, bundles, waiting, choice, setChoice, isChoice, linkCount }
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

/** Returns a function that starts all waiting uploads, and then focuses the new link for keyboard users. */
function useRun(start: ReturnType<typeof useStart>) {
  const main = useRef<HTMLDivElement>(null)
  const side = useRef<HTMLFormElement>(null)
  useKeptFocus(main)
  useKeptFocus(side)
  const run = async (waiting: Waiting) => {
    const isByKeys = hasKeyboard(side.current?.querySelector(':focus') ?? null)
    const done = start(waiting)
    // Scrolls to the rows with the progress, because they are far above the button on phones.
    main.current?.querySelector('section')?.scrollIntoView({ block: 'nearest' })
    const keys = await done
    await drawn()
    const links = keys.map((key) => `[data-focus-item="${key}"] a`).join()
    const isStillHere = side.current?.matches(':focus-within') ?? false
    if (isByKeys && isStillHere && links !== '')
      main.current?.querySelector<HTMLElement>(links)?.focus({ preventScroll: true })
  }
  return { main, side, run }
}

/** Files to share and their options. `children` are shown next to the options, or below them on phones. */
export function UploadPanel({ children }: { children: ReactNode }) {
  const { t, language } = useT()
  const storages = useQuery(fileQueries.storages())
  const form = useUploadForm(storages.data ?? [])
  const { take, takeFiles, takeData, refusals, limitBytes } = useIntake()
  const limits = { maxUploadBytes: limitBytes, providerType: form.providerType }
  const { entries, picks, bundles, waiting, choice, setChoice, isChoice, linkCount } = useWaiting(limits)
  const { ready, failed, isOne } = waiting
  const isOver = useFileIntake((data, isPaste) => void takeData(data, isPaste))
  const sealing = useSealing()
  const start = useStart(form, sealing.settle)
  const { main, side, run } = useRun(start)
  const formId = useId()
  const fixId = useId()
  const wrong = useWrongFields(formId, form.read(linkCount) === null)
  // A file that the page has lost in a reload is not part of the bundle until the user chooses it again.
  const paths = isOne ? itemPathsOf(ready) : null
  const problems = paths?.problems ?? new Map()
  const submit = () => {
    if (form.read(linkCount) === null) wrong.refuse()
    else if (problems.size > 0) document.querySelector<HTMLElement>(`#${CSS.escape(fixId)}`)?.focus()
    else run(waiting).catch((error: unknown) => notify('error', errorText(error)))
  }
  const isBusy = entries.some((entry) => rowStatusOf(entry) === 'uploading') || !bundles.every(hasHalted)
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
        {isChoice && <LinkChoiceField choice={choice} count={ready.length} onChoose={setChoice} />}
        {problems.size > 0 && <NamesBanner id={fixId} problems={problems} />}
        <UploadList
          bundles={bundles}
          entries={entries}
          picks={picks}
          paths={paths}
          problemOf={(sizeBytes) => findSizeProblem(sizeBytes, limits)}
          onRetry={(entry) => void start({ ready: [], failed: [entry], stuck: [], isOne: false })}
          onRetryBundle={(bundle) => retryBundle(form, bundle)}
          onFiles={takeFiles}
        />
      </div>
      <UploadSide
        ref={side}
        id={formId}
        form={form}
        linkCount={linkCount}
        wrong={wrong}
        sealing={sealing}
        waiting={waiting}
        entries={entries}
        bundles={bundles}
        onSubmit={submit}
      />
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
