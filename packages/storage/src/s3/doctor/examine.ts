import { randomUUID } from 'node:crypto'
import type { S3DriverOptions } from '../client.ts'
import { RESERVED_NAME_PREFIX } from '../../keys.ts'
import {
  askBeforeUpload,
  type BrowserOutcome,
  type CorsOutcome,
  signUpload,
  uploadAsPage,
} from './browser.ts'
import { diagnose, type Failure } from './failure.ts'
import { type Finding, finding } from './findings.ts'
import { openProbe, type Probe } from './probe.ts'
import { explainReading, listSome, type SeenObject } from './reading.ts'
import { abortsIncompleteUploads, canSeeCors, writeAbortRule, writeCors } from './rules.ts'
import { tryWriting, type WriteOutcome } from './writing.ts'

/** Time limit of the whole connection test. */
const EXAMINATION_MS = 55_000
const MINUTE_MS = 60_000
/**
 * Clock difference at which signatures are refused. Source: AWS S3 "RequestTimeTooSkewed", API/ErrorResponses.html,
 * read 2026-11-20.
 */
const SKEW_REFUSED_MS = 15 * MINUTE_MS
const SKEW_NOTED_MS = 5 * MINUTE_MS

export interface ExaminationOrder {
  /** Folder for uploads, without leading and trailing slashes; empty for the top level. */
  folder: string
  origin: string
  /** Whether to add missing rules to the bucket. */
  isToFix: boolean
  signal?: AbortSignal | undefined
}

/** Result of each step; null if the step could not be tried. */
export interface S3Examination {
  prefix: string
  /** The region used for signing. */
  region: string
  skewMs: number | null
  read: { objects: SeenObject[] | null; failure: Failure | null }
  /** Also null for Backblaze, where the upload from a web page proves that writing works. */
  write: WriteOutcome | null
  cors: CorsOutcome | null
  browser: BrowserOutcome | null
  testKeys: { write: string; browser: string }
  findings: Finding[]
}

interface Patient {
  probe: Probe
  order: ExaminationOrder
  signal: AbortSignal
  exam: S3Examination
}

/**
 * Tests a bucket as the product uses it: listing, writing, and an upload from a web page. Reports the problem, and
 * tries likely alternatives. Removes the objects that it writes if the credentials allow it. Takes at most a minute.
 * @throws {StorageError} `storage.unavailable` if the endpoint is not a URL
 */
export async function examineBucket(
  options: S3DriverOptions,
  order: ExaminationOrder,
): Promise<S3Examination> {
  const deadline = AbortSignal.timeout(EXAMINATION_MS)
  const signal = order.signal ? AbortSignal.any([deadline, order.signal]) : deadline
  const probe = await openProbe(options)
  const prefix = order.folder === '' ? '' : `${order.folder}/`
  const newKey = () => `${prefix}${RESERVED_NAME_PREFIX}test-${randomUUID()}.txt`
  const exam: S3Examination = {
    prefix,
    region: probe.region,
    skewMs: null,
    read: { objects: null, failure: null },
    write: null,
    cors: null,
    browser: null,
    testKeys: { write: newKey(), browser: newKey() },
    findings: [],
  }
  try {
    await examine({ probe, order, signal, exam })
    return exam
  } finally {
    probe.close()
  }
}

async function examine(patient: Patient): Promise<void> {
  const { probe, signal, exam } = patient
  const listed = await listSome(probe, exam.prefix, signal)
  exam.read = { objects: listed.value, failure: listed.failure }
  exam.skewMs = probe.skewMs()
  const problem = listed.failure && (await explainReading(probe.options, listed.failure, signal))
  const isClockRefused = noteClock(exam, problem)
  const isHopeless = problem !== null && problem.code !== 'access_denied'
  if (isHopeless && problem.code !== 'clock_skew') exam.findings.push(problem)
  if (isHopeless || isClockRefused) return
  await examineWriting(patient)
  await examinePages(patient)
  noteListing(exam)
  await examineLifecycle(patient)
}

/** @returns whether the clocks differ so much that signatures are refused even if everything else is correct */
function noteClock(exam: S3Examination, problem: Finding | null): boolean {
  const skewMs = exam.skewMs ?? 0
  const isRefused = problem?.code === 'clock_skew' || Math.abs(skewMs) >= SKEW_REFUSED_MS
  if (!isRefused && Math.abs(skewMs) < SKEW_NOTED_MS) return false
  const params = {
    minutes: Math.round(Math.abs(skewMs) / MINUTE_MS),
    direction: skewMs > 0 ? 'behind' : 'ahead',
  }
  exam.findings.push({ ...finding('clock_skew', params), severity: isRefused ? 'error' : 'warning' })
  return isRefused
}

function add(exam: S3Examination, found: Finding): void {
  if (exam.findings.every(({ code }) => code !== found.code)) exam.findings.push(found)
}

const reasonOf = ({ name, status }: Failure) => ({ reason: name, status: status ?? '' })

/** Records a failed write. The finding also depends on whether reading works. */
function noteWriteFailure(exam: S3Examination, failure: Failure): void {
  const code = diagnose(failure)
  const isReadable = exam.read.failure === null
  if (code === 'access_denied')
    add(exam, finding(isReadable ? 'read_only' : 'access_denied', reasonOf(failure)))
  else add(exam, finding(code ?? 'unknown', reasonOf(failure)))
}

function noteCleanupFailure(exam: S3Examination, failure: Failure): void {
  const code = diagnose(failure) ?? 'unknown'
  add(exam, finding(code === 'access_denied' ? 'delete_denied' : code, reasonOf(failure)))
}

async function examineWriting({ probe, signal, exam }: Patient): Promise<void> {
  if (probe.options.provider !== 'Backblaze B2') {
    exam.write = await tryWriting(probe, exam.testKeys.write, signal)
    if (exam.write.failure) noteWriteFailure(exam, exam.write.failure)
    if (exam.write.cleanupFailure) noteCleanupFailure(exam, exam.write.cleanupFailure)
  }
}

/** Records that the credentials are allowed to write but not to list. */
function noteListing(exam: S3Examination): void {
  const mayWrite = exam.write?.failure === null || exam.browser?.put?.failure === null
  if (exam.read.failure && mayWrite) add(exam, finding('list_denied', reasonOf(exam.read.failure)))
}

const originParams = ({ order }: Patient) => ({ origin: order.origin })

async function tryPages(patient: Patient): Promise<void> {
  const { probe, order, signal, exam } = patient
  const { origin } = order
  const { url } = await signUpload(probe, exam.testKeys.browser, signal)
  exam.cors = url === null ? null : await askBeforeUpload(probe, { url, origin, signal })
  exam.browser = await uploadAsPage(probe, { key: exam.testKeys.browser, origin, signal })
  const isStored = exam.browser.put?.failure === null
  if (exam.cors?.failure === null && exam.cors.code === null && isStored && !exam.browser.readsEtag)
    exam.cors.code = 'cors_no_etag'
}

async function examinePages(patient: Patient): Promise<void> {
  const { probe, order, signal, exam } = patient
  await tryPages(patient)
  const refused = exam.browser?.put?.failure
  if (refused) notePutFailure(exam, refused)
  const cleanup = exam.browser?.head?.cleanupFailure
  if (cleanup) noteCleanupFailure(exam, cleanup)
  const isMixed = order.origin.startsWith('https:') && probe.options.endpointUrl.startsWith('http:')
  if (isMixed) add(exam, finding('mixed_content', originParams(patient)))
  const code = exam.cors?.code
  if (!code) return
  const found = finding(code, originParams(patient))
  found.isFixable = await canSeeCors(probe, signal)
  add(exam, found)
  if (!order.isToFix) return
  const failure = found.isFixable ? await writeCors(probe, signal) : null
  if (found.isFixable && failure === null) await tryPages(patient)
  found.isFixed = exam.cors?.failure === null && exam.cors.code === null
}

function notePutFailure(exam: S3Examination, failure: Failure): void {
  if (exam.write?.failure === null) {
    const code = diagnose(failure)
    const isWay = code === 'timeout' || code === 'unreachable' || code === 'storage_failing'
    add(exam, finding(isWay ? code : 'signed_upload_failed', reasonOf(failure)))
  } else noteWriteFailure(exam, failure)
}

async function examineLifecycle({ probe, order, signal, exam }: Patient): Promise<void> {
  const isAborting = await abortsIncompleteUploads(probe, signal)
  if (isAborting !== false) return
  const found = finding('uploads_never_aborted')
  found.isFixable = true
  add(exam, found)
  if (!order.isToFix) return
  const failure = await writeAbortRule(probe, signal)
  found.isFixed = failure === null && (await abortsIncompleteUploads(probe, signal)) === true
}
