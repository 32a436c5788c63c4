import * as z from 'zod/mini'
import { route } from '../core/route.ts'
import { storageErrors } from './storage-configs.ts'
import { idParams, instant, optionalBoolean } from '../core/wire.ts'

/** Fields of each step of the connection test. The first line of `error` is human-readable. */
const step = { success: z.boolean(), error: z.nullable(z.string()), note: z.string() }
const timedStep = { name: z.string(), success: z.boolean(), duration: z.number(), note: z.string() }
const maybeText = z.optional(z.string())

const readStep = z.object({
  ...step,
  objectCount: z.number(),
  prefix: z.string(),
  firstObjects: z.optional(
    z.array(z.object({ key: z.string(), size: z.number(), lastModified: z.nullable(instant) })),
  ),
  code: maybeText,
})

const writeStep = z.object({
  ...step,
  /** Duration in milliseconds. */
  uploadTime: z.number(),
  testFile: z.string(),
  cleaned: z.optional(z.boolean()),
  cleanupError: maybeText,
  code: maybeText,
})

const corsStep = z.object({
  ...step,
  allowOrigin: z.nullable(z.string()),
  allowMethods: z.nullable(z.string()),
  allowHeaders: z.nullable(z.string()),
  maxAge: z.nullable(z.string()),
  statusCode: z.nullable(z.number()),
  detail: z.string(),
  uploadSupported: z.boolean(),
  warning: maybeText,
  configGuide: maybeText,
  responseHeaders: z.optional(z.record(z.string(), z.string())),
})

const frontendSim = z.object({
  ...step,
  steps: z.object({
    step1: z.object({ ...timedStep, presignedUrl: maybeText, error: maybeText }),
    step2: z.object({
      ...timedStep,
      statusCode: z.nullable(z.number()),
      etag: z.nullable(z.string()),
      /** Upload speed in bytes per second. */
      uploadSpeed: z.nullable(z.number()),
      providerHeaders: z.record(z.string(), z.string()),
      error: maybeText,
      responseBody: maybeText,
      troubleshooting: maybeText,
    }),
    step3: z.object({
      ...timedStep,
      fileSize: z.nullable(z.number()),
      lastModified: z.nullable(instant),
      contentType: z.nullable(z.string()),
      fileCleaned: z.boolean(),
      error: maybeText,
    }),
  }),
  totalDuration: z.number(),
  testFile: z.string(),
  failedAt: maybeText,
  troubleshooting: maybeText,
})

const finding = z.object({
  /** Stable code, like `region_wrong`. */
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  /** Description in one sentence. */
  message: z.string(),
  /** Ordered steps to take at the provider. */
  steps: z.array(z.string()),
  /** Whether the test can fix the problem. */
  fixable: z.boolean(),
  /** Whether the test fixed the problem; absent if no fix was requested. */
  fixed: z.optional(z.boolean()),
})
export type StorageFinding = z.infer<typeof finding>

const testResult = z.object({
  read: readStep,
  write: writeStep,
  cors: corsStep,
  frontendSim,
  connectionInfo: z.object({
    bucket: z.string(),
    endpoint: z.string(),
    region: z.string(),
    pathStyle: z.boolean(),
    provider: z.string(),
    defaultFolder: z.string(),
    customHost: z.nullable(z.string()),
    signatureExpiresIn: z.number(),
  }),
  globalNote: z.string(),
  doctor: z.object({
    findings: z.array(finding),
    /**
     * Number of seconds by which the storage's clock is ahead of the server's; `null` if the storage did not respond.
     */
    clockSkewSeconds: z.nullable(z.number()),
    /** Free bytes on a local disk. */
    freeBytes: z.nullable(z.number()),
  }),
})
export type StorageTestResult = z.infer<typeof testResult>

export const storageTestRoutes = {
  test: route({
    method: 'POST',
    path: '/api/s3-configs/:id/test',
    access: 'admin',
    summary:
      'Test a storage: list, write, an upload by a page. Reports problems and their solution; with fix it writes missing rules.',
    params: idParams,
    body: z.nullish(z.object({ fix: optionalBoolean })),
    reply: z.object({ data: z.object({ success: z.boolean(), result: testResult }) }),
    errors: [storageErrors.not_found],
  }),
}
