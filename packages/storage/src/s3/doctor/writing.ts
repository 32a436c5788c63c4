import type { Failure } from './failure.ts'
import { attempt, type Probe } from './probe.ts'

export const TEST_CONTENT = Buffer.from('This file tests the storage and may be deleted.\n')
export const TEST_TYPE = 'text/plain'

export interface WriteOutcome {
  failure: Failure | null
  uploadMs: number
  /** Failure to remove the test object; null if it was removed or not written. */
  cleanupFailure: Failure | null
}

export const removeTestObject = async (probe: Probe, key: string, signal: AbortSignal) =>
  (
    await attempt(signal, (o) =>
      probe.ctx.s3.deleteObject({ Bucket: probe.ctx.bucket, Key: key }, o).then(() => true),
    )
  ).failure

/** Writes a small object with the SDK, as the server does, and removes it. */
export async function tryWriting(probe: Probe, key: string, signal: AbortSignal): Promise<WriteOutcome> {
  const startedMs = performance.now()
  const input = { Bucket: probe.ctx.bucket, Key: key, Body: TEST_CONTENT, ContentType: TEST_TYPE }
  const { failure } = await attempt(signal, (o) => probe.ctx.s3.putObject(input, o))
  const uploadMs = Math.round(performance.now() - startedMs)
  const cleanupFailure = failure === null ? await removeTestObject(probe, key, signal) : null
  return { failure, uploadMs, cleanupFailure }
}
