import type { CORSRule, LifecycleRule } from '@aws-sdk/client-s3'
import type { Failure } from './failure.ts'
import { attempt, type Probe } from './probe.ts'

const CORS_RULE_ID = 'dropleaf'
const ABORT_RULE_ID = 'dropleaf-abort-incomplete-uploads'
const ABORT_AFTER_DAYS = 1
const CORS_MAX_AGE_SECONDS = 3600

/**
 * Allows signed links on any page, because links work outside of browsers too, so an origin check would protect
 * nothing.
 */
const CORS_RULE: CORSRule = {
  ID: CORS_RULE_ID,
  AllowedOrigins: ['*'],
  AllowedMethods: ['GET', 'PUT', 'HEAD'],
  AllowedHeaders: ['*'],
  ExposeHeaders: ['ETag'],
  MaxAgeSeconds: CORS_MAX_AGE_SECONDS,
}

/** Codes that mean that a bucket has no rules. */
const NO_RULES = new Set(['NoSuchCORSConfiguration', 'NoSuchLifecycleConfiguration'])

/** @returns the rules, or the failure if they cannot be read */
async function rulesOf<T>(
  signal: AbortSignal,
  read: (o: { abortSignal: AbortSignal }) => Promise<T>,
  none: T,
): Promise<{ value: T; failure: Failure | null }> {
  const { value, failure } = await attempt(signal, read)
  if (failure === null) return { value: value ?? none, failure: null }
  return { value: none, failure: NO_RULES.has(failure.name) ? null : failure }
}

const readCors = (probe: Probe, signal: AbortSignal) =>
  rulesOf<CORSRule[]>(
    signal,
    async (o) => (await probe.ctx.s3.getBucketCors({ Bucket: probe.ctx.bucket }, o)).CORSRules ?? [],
    [],
  )

/** Whether these credentials are allowed to read the CORS rules. Such credentials can usually change the rules too. */
export const canSeeCors = async (probe: Probe, signal: AbortSignal): Promise<boolean> =>
  (await readCors(probe, signal)).failure === null

/**
 * Allows web pages to upload and download. Inserts the new rule before the existing rules, because the first match
 * applies.
 * @returns the failure, or null
 */
export async function writeCors(probe: Probe, signal: AbortSignal): Promise<Failure | null> {
  const { value: rules, failure } = await readCors(probe, signal)
  if (failure !== null) return failure
  const CORSRules = [CORS_RULE, ...rules.filter(({ ID }) => ID !== CORS_RULE_ID)]
  const input = { Bucket: probe.ctx.bucket, CORSConfiguration: { CORSRules } }
  return (await attempt(signal, (o) => probe.ctx.s3.putBucketCors(input, o))).failure
}

const readLifecycle = (probe: Probe, signal: AbortSignal) =>
  rulesOf<{ rules: LifecycleRule[]; transition: object }>(
    signal,
    async (o) => {
      const answer = await probe.ctx.s3.getBucketLifecycleConfiguration({ Bucket: probe.ctx.bucket }, o)
      const { Rules = [], TransitionDefaultMinimumObjectSize: size } = answer
      return {
        rules: Rules,
        transition: size === undefined ? {} : { TransitionDefaultMinimumObjectSize: size },
      }
    },
    { rules: [], transition: {} },
  )

const isForAll = ({ Filter, Prefix }: LifecycleRule) =>
  !Prefix && !Filter?.Prefix && !Filter?.Tag && !Filter?.And && !Filter?.ObjectSizeGreaterThan

const abortsUploads = (rule: LifecycleRule) =>
  rule.Status === 'Enabled' &&
  isForAll(rule) &&
  (rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation ?? 0) > 0

/** Whether a rule removes the parts of incomplete uploads; null if the rules cannot be read. */
export async function abortsIncompleteUploads(probe: Probe, signal: AbortSignal): Promise<boolean | null> {
  const { value, failure } = await readLifecycle(probe, signal)
  return failure === null ? value.rules.some(abortsUploads) : null
}

/**
 * Adds a rule that removes parts one day after their upload began. The other rules stay. @returns the failure, or null
 */
export async function writeAbortRule(probe: Probe, signal: AbortSignal): Promise<Failure | null> {
  const { value, failure } = await readLifecycle(probe, signal)
  if (failure !== null) return failure
  const others = value.rules.filter(({ ID }) => ID !== ABORT_RULE_ID)
  // Rules in the old format, which have a prefix instead of a filter, cannot be combined with rules that use filters.
  const isOldForm = others.some((rule) => rule.Prefix !== undefined && !rule.Filter)
  const rule: LifecycleRule = {
    ID: ABORT_RULE_ID,
    Status: 'Enabled',
    ...(isOldForm ? { Prefix: '' } : { Filter: { Prefix: '' } }),
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: ABORT_AFTER_DAYS },
  }
  const input = {
    Bucket: probe.ctx.bucket,
    LifecycleConfiguration: { Rules: [...others, rule] },
    ...value.transition,
  }
  const put = (o: { abortSignal: AbortSignal }) => probe.ctx.s3.putBucketLifecycleConfiguration(input, o)
  return (await attempt(signal, put)).failure
}
