import { rename } from 'node:fs/promises'
import { PACKED_BELOW_BYTES, type SealedSource } from '@dropleaf/seal'
import type { OneFile } from '../bundles/saving.ts'
import { onDisk } from '../disk.ts'
import { CliError, EXIT } from '../errors.ts'
import { formatBytes } from '../progress.ts'
import { discardPart, openPart, partFileOf, sizeOf, type Version, writeAt } from '../targets/part-file.ts'
import { inSealWords } from './words.ts'

/** Yields the rest of a file. Small files that share an object are read from its cache. */
async function* restOf(source: SealedSource, doneBytes: number): AsyncGenerator<Uint8Array> {
  const length = source.size - doneBytes
  if (source.size < PACKED_BELOW_BYTES) yield await source.read(doneBytes, length)
  else yield* source.stream({ offset: doneBytes, length })
}

async function gather(
  source: SealedSource,
  { part, target, onProgress }: Pick<OneFile, 'target' | 'onProgress'> & { readonly part: string },
): Promise<void> {
  if ((await sizeOf(part)) > source.size) await discardPart(part)
  const file = await onDisk(target, openPart(part))
  try {
    let doneBytes = (await file.stat()).size
    for await (const bytes of restOf(source, doneBytes)) {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      await onDisk(target, writeAt(file, chunk, doneBytes))
      doneBytes += chunk.length
      onProgress({ doneBytes, totalBytes: source.size })
    }
  } finally {
    await onDisk(target, file.close())
  }
}

/**
 * Adds the number of received bytes to the error of a lost connection. The message thus shows that the download can
 * be resumed. If the stored bytes were changed, deletes the part file.
 */
async function inOurWords(
  error: unknown,
  { part, size, path }: { part: string; size: number; path: string },
) {
  const ours = inSealWords(error, path)
  const isTampered = !(ours instanceof CliError) || ours.exitCode === EXIT.refused
  if (isTampered) await discardPart(part)
  if (isTampered || ours.exitCode !== EXIT.network) return ours
  const doneBytes = await sizeOf(part)
  if (doneBytes === 0) return ours
  const params = { done: formatBytes(doneBytes), total: formatBytes(size) }
  return new CliError({ exitCode: EXIT.network, text: 'net.broken_download', params, cause: ours })
}

/**
 * Decrypts a file into a part file beside the target, or resumes an earlier attempt. Verifies every byte before
 * writing it, and moves the complete file to the target.
 * @throws {CliError}
 */
export async function saveSlice(
  source: SealedSource,
  version: Version,
  { file, target, requireFree, onProgress, onComplete }: OneFile,
): Promise<void> {
  const part = partFileOf(target, version)
  try {
    await gather(source, { part, target, onProgress })
  } catch (error) {
    throw await inOurWords(error, { part, size: source.size, path: file.path })
  }
  await requireFree(target)
  await onComplete?.(part)
  await onDisk(target, rename(part, target))
}
