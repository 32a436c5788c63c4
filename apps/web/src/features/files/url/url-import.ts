import { type ReplyOf, type Task, urlRoutes } from '@dropleaf/contract'
import { createRateMeter } from '@dropleaf/uploader'
import { api } from '../../../domains/api/api-client.ts'
import { openingBody } from '../../../domains/api/opening-body.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { holdForOwner } from '../../../domains/session/session-owner.ts'
import { type JobHandle, registerJob } from '../../../domains/transfers/tasks/local-jobs.ts'
import { cancelTask, followTask } from '../../../domains/transfers/tasks/server-tasks.ts'
import type { UploadOptions } from '../../../domains/transfers/uploads/share-transports.ts'
import { addShares } from '../../../domains/transfers/uploads/share-uploads.ts'
import type { UploadEntry } from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import { fetchSource } from './fetch-source.ts'

export type SourceInfo = ReplyOf<typeof urlRoutes.info>['data']

/** How the file is downloaded: by the server, by the browser, or by the browser through the server. */
export const URL_WAYS = ['server', 'browser', 'proxy'] as const
export type UrlWay = (typeof URL_WAYS)[number]

export interface UrlOrder {
  readonly source: SourceInfo
  readonly name: string
  readonly way: UrlWay
  readonly options: UploadOptions
  readonly limitBytes: number
}

export type UrlStage =
  | 'starting'
  | 'downloading'
  | 'proxying'
  | 'uploading'
  | 'importing'
  | 'completed'
  | 'failed'
  | 'cancelled'

export interface UrlRun {
  readonly order: UrlOrder
  readonly stage: UrlStage
  /** 0 to 49 during the download, 50 to 99 during the upload, 100 when completed; 0 while the server imports a file. */
  readonly percent: number
  readonly bytesPerSecond: number | null
  readonly slug: string | null
  readonly error: unknown
  /** Id of the server task that imports the file. */
  readonly taskId: string | null
  /** Key of the upload in the list, after the browser has downloaded the file. */
  readonly uploadKey: string | null
}

const HALF = 50
/** Returns a percentage from 0 to 49 for a fraction from 0 to 1. */
export const halfPercent = (share: number): number => Math.min(HALF - 1, Math.floor(share * HALF))

let run: UrlRun | null = null
let stop: (() => void) | null = null
const listeners = new Set<() => void>()

function publish(next: UrlRun | null) {
  run = next
  for (const listener of listeners) listener()
}
const change = (fields: Partial<UrlRun>) => run && publish({ ...run, ...fields })

export const getUrlRun = (): UrlRun | null => run
export function subscribeUrlRun(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const isUrlRunning = (one: UrlRun | null): boolean =>
  one !== null && !['completed', 'failed', 'cancelled'].includes(one.stage)

interface Fetching {
  readonly order: UrlOrder
  readonly signal: AbortSignal
  readonly job: JobHandle
}

function fetchBy(way: 'browser' | 'proxy', { order, signal, job }: Fetching): Promise<Blob> {
  const { source, limitBytes } = order
  const isProxy = way === 'proxy'
  const proxy = new URL(source.proxyUrl, serverAddress())
  const meter = createRateMeter(source.size ?? 0)
  change({ stage: isProxy ? 'proxying' : 'downloading', percent: 0, bytesPerSecond: null })
  return fetchSource({
    url: isProxy ? new URL(proxy.pathname + proxy.search, serverAddress()).href : source.url,
    isProxy,
    limitBytes,
    signal,
    onProgress(doneBytes, answered) {
      const totalBytes = answered ?? source.size
      const nowMs = Date.now()
      meter.add({ atMs: nowMs, sentBytes: doneBytes })
      const { bytesPerSecond } = meter.read(nowMs)
      job.update({ doneBytes, totalBytes })
      change({ percent: totalBytes ? halfPercent(doneBytes / totalBytes) : 0, bytesPerSecond })
    },
  })
}

/**
 * Downloads the file into the browser in the chosen way. If a download from the source gets no response, for example
 * because the source does not allow CORS, downloads the file through the server.
 */
async function fetchFile(fetching: Fetching): Promise<Blob> {
  const { order, signal } = fetching
  if (order.way === 'proxy') return fetchBy('proxy', fetching)
  try {
    return await fetchBy('browser', fetching)
  } catch (error) {
    if (signal.aborted || !hasCode(error, 'client.network')) throw error
    return fetchBy('proxy', fetching)
  }
}

function addUpload({ source, name, options }: UrlOrder, blob: Blob): UploadEntry | undefined {
  const file = new File([blob], name, { type: source.contentType })
  return addShares([{ file, handle: null, number: null }], options, 'url')[0]
}

/** Follows an upload until it is completed or cancelled, even if the user pauses or retries it in the tray. */
function followUpload(key: string): void {
  stop = () => uploads.cancel([key])
  change({ uploadKey: key })
  const look = () => {
    const entry = uploads.get(key)
    if (run?.uploadKey !== key) {
      // Another import has begun.
      leave()
      return
    }
    if (!entry) return
    const { state, sizeBytes, sentBytes, bytesPerSecond, result, error } = entry
    if (state === 'completed') {
      leave()
      change({ stage: 'completed', percent: 100, slug: result?.slug ?? null, bytesPerSecond: null })
    } else if (state === 'aborted') {
      leave()
      change({ stage: 'cancelled', bytesPerSecond: null })
    } else if (state === 'failed') change({ stage: 'failed', error, bytesPerSecond: null })
    else {
      const percent = HALF + halfPercent(sizeBytes === 0 ? 0 : sentBytes / sizeBytes)
      change({ stage: 'uploading', percent, bytesPerSecond, error: null })
    }
  }
  const leave = uploads.subscribe(look)
  look()
}

async function runInBrowser(order: UrlOrder): Promise<void> {
  const controller = new AbortController()
  stop = () => controller.abort()
  const job = registerJob({
    kind: 'download',
    name: order.name,
    cancel: () => controller.abort(),
    totalBytes: order.source.size,
  })
  try {
    const blob = await fetchFile({ order, signal: controller.signal, job })
    job.end('completed')
    const entry = addUpload(order, blob)
    if (entry) followUpload(entry.key)
  } catch (error) {
    const isCancelled = controller.signal.aborted
    job.end(isCancelled ? 'cancelled' : 'failed')
    change({ stage: isCancelled ? 'cancelled' : 'failed', error, bytesPerSecond: null })
  }
}

async function runOnServer({ source, name, options }: UrlOrder): Promise<void> {
  let task: Task | null = null
  let isCancelled = false
  stop = () => {
    isCancelled = true
    if (task) cancelTask(task.id).catch((error: unknown) => change({ error }))
  }
  try {
    const { data } = await api(urlRoutes.import, {
      body: {
        url: source.url,
        filename: name,
        s3_config_id: options.configId,
        slug: options.slug,
        path: options.folder,
        remark: options.remark,
        password: options.password,
        expires_in: options.expiresInHours,
        max_views: options.maxViews,
        ...openingBody(options),
      },
    })
    ;({ task } = data)
    followTask(task)
    change({ stage: 'importing', taskId: task.id })
    if (isCancelled) await cancelTask(task.id)
  } catch (error) {
    change({ stage: 'failed', error })
  }
}

/**
 * Starts an import, and replaces the previous import. The caller must check {@link isUrlRunning} first. An import by
 * the server continues even when the tab is closed.
 */
export function startUrlRun(order: UrlOrder): void {
  publish({
    order,
    stage: 'starting',
    percent: 0,
    bytesPerSecond: null,
    slug: null,
    error: null,
    taskId: null,
    uploadKey: null,
  })
  void (order.way === 'server' ? runOnServer(order) : runInBrowser(order))
}

/** Cancels the import, whether it runs in this tab or on the server. */
export const cancelUrlRun = (): void => stop?.()

export function noteTask({ state, result, error }: Pick<Task, 'state' | 'result' | 'error'>): void {
  const { slug } = (result ?? {}) as { slug?: string }
  if (state === 'completed') change({ stage: 'completed', percent: 100, slug: slug ?? null })
  else if (state === 'cancelled') change({ stage: 'cancelled' })
  else if (state === 'failed' || state === 'partially_complete') change({ stage: 'failed', error })
}

export const clearUrlRun = (): void => publish(null)

holdForOwner({
  onGone() {
    // An import by the server continues without this tab.
    if (run?.taskId === null) stop?.()
    publish(null)
  },
})
