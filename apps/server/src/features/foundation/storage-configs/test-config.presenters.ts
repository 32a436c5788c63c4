import type { StorageTestResult } from '@dropleaf/contract'
import type { Failure, S3Examination } from '@dropleaf/storage'
import { toInstantOrNull } from '../../../lib/clock.ts'
import type { Language } from '../../../messages/index.ts'
import { s3ProviderOf } from '../../../storage/drivers.ts'
import {
  CORS_EXAMPLE,
  describeFinding,
  type FindingCode,
  noteFor,
  type ProviderName,
} from './doctor-texts/index.ts'
import { isLocalDisk } from './storage-configs.models.ts'
import type { ConfigTest, DiskExamination } from './test-config.usecases.ts'

type Finding = StorageTestResult['doctor']['findings'][number]
type Steps = Pick<StorageTestResult, 'read' | 'write' | 'cors' | 'frontendSim'>

/** Findings that explain why the CORS step failed. */
const CORS_CODES: ReadonlySet<FindingCode> = new Set([
  'cors_missing',
  'cors_no_put',
  'cors_headers',
  'cors_no_etag',
  'mixed_content',
])
const WRITE_CODES: ReadonlySet<FindingCode> = new Set([
  'read_only',
  'access_denied',
  'storage_full',
  'delete_denied',
  'signed_upload_failed',
])

interface Texts {
  readonly language: Language
  readonly findings: readonly Finding[]
}

const rawOf = ({ name, message, status }: Failure): string =>
  [name, status === null ? null : `(${status})`, message === name ? null : message].filter(Boolean).join(' ')

/** Returns the message of the finding that explains a failure, followed by the storage's own message. */
function errorOf(failure: Failure, explains: (code: FindingCode) => boolean, { findings }: Texts): string {
  const sentence = findings.find(({ code }) => explains(code as FindingCode))?.message
  return [sentence, rawOf(failure)].filter(Boolean).join('\n')
}

const isOfReading = (code: FindingCode) => !CORS_CODES.has(code) && code !== 'uploads_never_aborted'
const isOfWriting = (code: FindingCode) => WRITE_CODES.has(code) || isOfReading(code)

function presentRead({ read, prefix }: S3Examination, texts: Texts): Steps['read'] {
  const objects = read.objects ?? []
  return {
    success: read.failure === null,
    error: read.failure && errorOf(read.failure, isOfReading, texts),
    note: read.failure === null ? noteFor('read_done', texts.language) : '',
    objectCount: objects.length,
    prefix,
    firstObjects: presentObjects(objects),
    ...(read.failure && { code: read.failure.name }),
  }
}

const presentObjects = (
  objects: readonly { key: string; sizeBytes: number; modifiedAtMs: number }[],
): NonNullable<Steps['read']['firstObjects']> =>
  objects.map(({ key, sizeBytes, modifiedAtMs }) => ({
    key,
    size: sizeBytes,
    lastModified: toInstantOrNull(modifiedAtMs === 0 ? null : modifiedAtMs),
  }))

function presentWrite(exam: S3Examination, texts: Texts, provider: ProviderName): Steps['write'] {
  const { write, testKeys } = exam
  const base = { uploadTime: write?.uploadMs ?? 0, testFile: testKeys.write }
  if (write === null) {
    const isLeftOut = provider === 'Backblaze B2' && exam.browser !== null
    const note = noteFor(isLeftOut ? 'write_skipped_b2' : 'not_tried', texts.language)
    return { ...base, success: isLeftOut, error: null, note }
  }
  if (write.failure !== null) {
    const error = errorOf(write.failure, isOfWriting, texts)
    return { ...base, success: false, error, note: '', code: write.failure.name }
  }
  return {
    ...base,
    success: true,
    error: null,
    note: noteFor('write_done', texts.language),
    cleaned: write.cleanupFailure === null,
    ...(write.cleanupFailure && { cleanupError: rawOf(write.cleanupFailure) }),
  }
}

function presentCors({ cors }: S3Examination, texts: Texts): Steps['cors'] {
  const headers = cors?.answer?.headers ?? {}
  const header = (name: string) => headers[`access-control-allow-${name}`] ?? null
  const isDone = cors !== null && cors.failure === null && cors.code === null
  const found = texts.findings.find(({ code }) => CORS_CODES.has(code as FindingCode))
  const problem = cors?.failure ? rawOf(cors.failure) : (found?.message ?? null)
  return {
    success: isDone,
    error: isDone ? null : problem,
    note: noteFor(isDone ? 'cors_done' : 'not_tried', texts.language),
    allowOrigin: header('origin'),
    allowMethods: header('methods'),
    allowHeaders: header('headers'),
    maxAge: headers['access-control-max-age'] ?? null,
    statusCode: cors?.answer?.status ?? null,
    detail: problem ?? '',
    uploadSupported: isDone || cors?.code === 'cors_no_etag',
    ...(cors?.code === 'cors_no_etag' && found && { warning: found.message }),
    ...(cors?.code && { configGuide: CORS_EXAMPLE }),
    responseHeaders: headers,
  }
}

/** Headers that let the provider's support identify the request. */
const PROVIDER_HEADER = /^(?:x-amz-|x-oss-|x-bz-|cf-ray$|server$)/

const withoutQuery = (url: string): string => url.split('?')[0] ?? url

function presentSteps(exam: S3Examination, texts: Texts): Steps['frontendSim']['steps'] {
  const { browser } = exam
  const { language } = texts
  const sign = browser?.sign
  const put = browser?.put
  const head = browser?.head
  const answer = put?.answer ?? null
  const isStored = put?.failure === null && put.answer !== null
  const etag = answer?.headers.etag?.replaceAll('"', '') ?? null
  return {
    step1: {
      name: noteFor('step_sign', language),
      success: typeof sign?.url === 'string',
      duration: sign?.ms ?? 0,
      note: sign ? '' : noteFor('not_tried', language),
      ...(sign?.url && { presignedUrl: withoutQuery(sign.url) }),
      ...(sign?.failure && { error: rawOf(sign.failure) }),
    },
    step2: {
      name: noteFor('step_upload', language),
      success: isStored,
      duration: put?.ms ?? 0,
      note: put ? '' : noteFor('not_tried', language),
      statusCode: answer?.status ?? null,
      etag,
      uploadSpeed:
        isStored && head?.sizeBytes ? Math.round((head.sizeBytes * 1000) / Math.max(1, put.ms)) : null,
      providerHeaders: Object.fromEntries(
        Object.entries(answer?.headers ?? {}).filter(([name]) => PROVIDER_HEADER.test(name)),
      ),
      ...(put?.failure && { error: errorOf(put.failure, isOfWriting, texts) }),
      ...(put?.failure && answer && { responseBody: answer.body }),
    },
    step3: {
      name: noteFor('step_verify', language),
      success: head?.failure === null,
      duration: head?.ms ?? 0,
      note: head ? '' : noteFor('not_tried', language),
      fileSize: head?.sizeBytes ?? null,
      lastModified: toInstantOrNull(head?.modifiedAtMs ?? null),
      contentType: head?.contentType ?? null,
      fileCleaned: head !== undefined && head !== null && head.cleanupFailure === null,
      ...(head?.failure && { error: rawOf(head.failure) }),
    },
  }
}

function presentFrontend(exam: S3Examination, texts: Texts): Steps['frontendSim'] {
  const steps = presentSteps(exam, texts)
  const failed = Object.entries(steps).find(([, { success }]) => !success)
  const isTried = exam.browser !== null
  const advice = texts.findings[0]?.steps.join('\n')
  return {
    success: failed === undefined,
    error: failed === undefined ? null : (failed[1].error ?? texts.findings[0]?.message ?? null),
    note:
      failed === undefined
        ? noteFor('browser_done', texts.language)
        : isTried
          ? ''
          : noteFor('not_tried', texts.language),
    steps,
    totalDuration: Object.values(steps).reduce((sum, { duration }) => sum + duration, 0),
    testFile: exam.testKeys.browser,
    ...(failed && { failedAt: failed[0] }),
    ...(failed && advice && { troubleshooting: advice }),
  }
}

/** Builds the result of a test that could not start. */
function emptyExam(prefix: string): S3Examination {
  const failure: Failure = { name: 'NotTried', message: '', status: null, region: null }
  return {
    prefix,
    region: '',
    skewMs: null,
    read: { objects: null, failure },
    write: null,
    cors: null,
    browser: null,
    testKeys: { write: '', browser: '' },
    findings: [],
  }
}

const presentS3 = (exam: S3Examination, texts: Texts, provider: ProviderName): Steps => ({
  read: presentRead(exam, texts),
  write: presentWrite(exam, texts, provider),
  cors: presentCors(exam, texts),
  frontendSim: presentFrontend(exam, texts),
})

function presentDisk(disk: DiskExamination, prefix: string, { language, findings }: Texts): Steps {
  const error = disk.isWritten ? null : (findings[0]?.message ?? null)
  const isListed = disk.objects !== null
  const step = (name: 'step_sign' | 'step_upload' | 'step_verify', duration: number) => ({
    name: noteFor(name, language),
    success: disk.isWritten,
    duration,
    note: '',
  })
  return {
    read: {
      success: isListed,
      error: isListed ? null : error,
      note: isListed ? noteFor('read_done', language) : '',
      objectCount: disk.objects?.length ?? 0,
      prefix,
      firstObjects: presentObjects(disk.objects ?? []),
    },
    write: {
      success: disk.isWritten,
      error,
      note: disk.isWritten ? noteFor('write_done', language) : '',
      uploadTime: disk.uploadMs,
      testFile: disk.testKey,
      cleaned: true,
    },
    cors: {
      success: true,
      error: null,
      note: noteFor('cors_own', language),
      allowOrigin: '*',
      allowMethods: 'GET,HEAD,PUT',
      allowHeaders: '*',
      maxAge: null,
      statusCode: null,
      detail: '',
      uploadSupported: true,
    },
    frontendSim: {
      success: disk.isWritten,
      error,
      note: noteFor('browser_own', language),
      steps: {
        step1: step('step_sign', 0),
        step2: {
          ...step('step_upload', disk.uploadMs),
          statusCode: null,
          etag: null,
          uploadSpeed: null,
          providerHeaders: {},
        },
        step3: {
          ...step('step_verify', 0),
          fileSize: null,
          lastModified: null,
          contentType: null,
          fileCleaned: true,
        },
      },
      totalDuration: disk.uploadMs,
      testFile: disk.testKey,
    },
  }
}

const toSeconds = (ms: number | null): number | null => (ms === null ? null : Math.round(ms / 1000))

/** Presents a test result in the caller's language. */
export function presentTest(
  test: ConfigTest,
  language: Language,
): { success: boolean; result: StorageTestResult } {
  const { config, s3, disk } = test
  const provider: ProviderName = isLocalDisk(config) ? 'Local disk' : s3ProviderOf(config.provider_type)
  const findings = test.findings.map((found): Finding => ({
    code: found.code,
    severity: found.severity,
    ...describeFinding(found, { language, provider }),
    fixable: found.isFixable,
    ...(found.isFixed === undefined ? {} : { fixed: found.isFixed }),
  }))
  const texts = { language, findings }
  const prefix = config.default_folder === '' ? '' : `${config.default_folder}/`
  const steps =
    disk === null ? presentS3(s3 ?? emptyExam(prefix), texts, provider) : presentDisk(disk, prefix, texts)
  const success = steps.read.success && steps.cors.success && steps.frontendSim.success
  const isOpen = ({ severity, fixed }: Finding) => severity === 'error' && fixed !== true
  const isWell = success && !findings.some(isOpen)
  return {
    success,
    result: {
      ...steps,
      connectionInfo: {
        bucket: config.bucket_name,
        endpoint: config.endpoint_url,
        region: s3?.region ?? config.region,
        pathStyle: config.path_style === 1,
        provider: config.provider_type,
        defaultFolder: config.default_folder,
        customHost: config.custom_host,
        signatureExpiresIn: config.signature_expires_in,
      },
      globalNote: noteFor(isWell ? 'all_well' : 'some_wrong', language),
      doctor: {
        findings,
        clockSkewSeconds: toSeconds(s3?.skewMs ?? null),
        freeBytes: disk?.freeBytes ?? null,
      },
    },
  }
}
