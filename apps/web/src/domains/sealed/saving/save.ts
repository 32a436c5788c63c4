import { errorText } from '../../../i18n/error-text.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { notify } from '../../../lib/notices.ts'
import { PreviewError } from '../../preview/preview-error.ts'
import { type JobHandle, registerJob } from '../../transfers/tasks/local-jobs.ts'
import { hasVirtualFiles } from '../media/virtual-files.ts'
import { toPreviewError } from '../reading/sealed-fault.ts'
import { IncompleteError, pour, type SaveContents } from './pour.ts'
import { SaveError } from './save-errors.ts'
import { fileTarget, hasFilePicker, memoryTarget, pickSaveFile, type SaveTarget } from './save-targets.ts'
import { chooseWay, type SaveWay } from './save-way.ts'
import { spoolRoom, spoolTarget } from './spool.ts'
import { streamDownload } from './stream-download.ts'

/** On a first visit, the service worker first downloads the app, which takes a while on a slow connection. */
const WORKER_READY_MS = 20_000
/** Number of bytes between two progress updates. */
const SHOWN_EVERY_BYTES = 512 * 1024

const isPhone = () => matchMedia('(hover: none) and (pointer: coarse)').matches

const findWay = ({ sizeBytes }: SaveContents): Promise<SaveWay | null> =>
  chooseWay(sizeBytes, {
    hasFilePicker: hasFilePicker(),
    isPhone: isPhone(),
    spoolRoom,
    hasStream: () => hasVirtualFiles(WORKER_READY_MS),
  })

/** Explains why nothing was saved. */
function saveFailureText(error: unknown): string {
  if (error instanceof SaveError) return i18n.t(`sealedReading.save.${error.fault}`)
  if (error instanceof IncompleteError) return i18n.t('sealedReading.save.tampered')
  const cause = toPreviewError(error)
  if (cause instanceof PreviewError) return i18n.t('sealedReading.save.tampered')
  if (cause instanceof DOMException && cause.name === 'QuotaExceededError')
    return i18n.t('sealedReading.save.full')
  return errorText(cause)
}

async function targetFor(way: SaveWay, contents: SaveContents): Promise<SaveTarget | null> {
  if (way === 'memory') return memoryTarget(contents.name)
  if (way === 'spool') {
    const { name, sizeBytes, resumeKey } = contents
    const key = resumeKey ?? crypto.randomUUID()
    return spoolTarget({ name, key, sizeBytes, isResumable: resumeKey !== null })
  }
  const handle = await pickSaveFile(contents.name)
  return handle && fileTarget(handle)
}

/**
 * Returns a function that reports progress to the tray. Skips most pieces, so that the tray is not updated too often.
 */
function reporter(job: JobHandle) {
  let shownBytes = 0
  return (doneBytes: number) => {
    if (doneBytes - shownBytes < SHOWN_EVERY_BYTES) return
    shownBytes = doneBytes
    job.update({ doneBytes })
  }
}

/**
 * Saves decrypted contents in the best way that this browser supports. Saves them completely or not at all, except that
 * an interrupted `stream` can leave a truncated file. Must be called in a click handler. Shows progress and failures
 * itself.
 */
export async function saveContents(contents: SaveContents): Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  let job: JobHandle | null = null
  const begin = () =>
    registerJob({
      kind: 'download',
      name: contents.name,
      totalBytes: contents.sizeBytes,
      cancel: () => stop.abort(new DOMException('Cancelled.', 'AbortError')),
    })
  try {
    // With a file dialog, the job begins after the reader has chosen a file.
    if (!hasFilePicker()) job = begin()
    const way = await findWay(contents)
    signal.throwIfAborted()
    if (way === null) throw new SaveError('no_way')
    if (way === 'stream') {
      job ??= begin()
      await streamDownload({ contents, signal, onBytes: reporter(job) })
    } else {
      const target = await targetFor(way, contents)
      // The reader closed the dialog.
      if (!target) return
      job ??= begin()
      await pour({ contents, target, signal, onBytes: reporter(job) })
    }
    job.end('completed', { doneBytes: contents.sizeBytes })
  } catch (error) {
    if (signal.aborted) {
      job?.end('cancelled')
      return
    }
    const text = saveFailureText(error)
    job?.end('failed', { failures: [text] })
    notify('error', i18n.t('sealedReading.save.failed', { name: contents.name, reason: text }))
  }
}
