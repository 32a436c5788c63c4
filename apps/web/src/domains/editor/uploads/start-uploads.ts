import { dismissNotice, notify } from '../../../lib/notices.ts'
import type { FileUploads } from './upload-file.ts'
import type { FileLink, PlaceholderFile, UploadPlaceholder } from './upload-placeholder.ts'

export type ShowPlaceholder = (file: PlaceholderFile) => UploadPlaceholder

interface UploadsInput {
  readonly files: readonly File[]
  readonly uploads: FileUploads
  readonly showSign: ShowPlaceholder
  readonly insert: (sign: UploadPlaceholder, link: FileLink) => void
  readonly kindOf: (isImage: boolean) => FileLink['kind']
  readonly words: {
    readonly cancel: (name: string) => string
    readonly failed: (name: string, reason: string) => string
    readonly retry: string
  }
}

/** Retry functions of failed uploads, which share one notice. */
const failures = new Set<() => void>()
let noticeId: number | null = null

function tellFailure(text: string, retryLabel: string, retry: () => void): void {
  failures.add(retry)
  noticeId = notify('error', text, {
    topic: 'editor-upload',
    shownMs: Infinity,
    action: {
      label: retryLabel,
      run: () => {
        for (const again of failures) again()
      },
    },
  })
}

function forgetFailure(retry: () => void): void {
  if (!failures.delete(retry) || failures.size > 0 || noticeId === null) return
  dismissNotice(noticeId)
  noticeId = null
}

/**
 * Uploads files in parallel and inserts their links in the order of the files. A failed upload keeps its placeholder
 * and its file until it is retried or cancelled.
 */
export function startUploads({ files, uploads, showSign, insert, kindOf, words }: UploadsInput): void {
  let turn: Promise<void> = Promise.resolve()
  let count = 0
  for (const file of files) {
    const { name } = file
    let cancel = new AbortController()
    const retry = () => void run(Promise.resolve())
    const sign = showSign({
      name,
      cancelLabel: words.cancel(name),
      retryLabel: words.retry,
      onRetry: retry,
      onCancel: () => {
        cancel.abort()
        forgetFailure(retry)
        sign.settle(null)
      },
    })
    const run = async (before: Promise<void>): Promise<void> => {
      forgetFailure(retry)
      cancel = new AbortController()
      sign.setFailed(false)
      try {
        const { address, isImage } = await uploads.upload(file, {
          signal: cancel.signal,
          onProgress: sign.progress,
        })
        await before
        insert(sign, { name, address, kind: kindOf(isImage), isNext: count > 0 })
        count += 1
      } catch (error) {
        if (cancel.signal.aborted) return
        sign.setFailed(true)
        tellFailure(words.failed(name, uploads.reasonOf(error)), words.retry, retry)
      }
    }
    turn = run(turn)
  }
}
