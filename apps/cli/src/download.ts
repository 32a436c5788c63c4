import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { arriving, BYTES_HEADERS, refusalOf, request, SILENCE_MS, textOf } from './client.ts'
import { onDisk } from './disk.ts'
import { CliError, EXIT } from './errors.ts'
import { discardPart, openPart, partFileOf, sizeOf, type Version, writeAt } from './targets/part-file.ts'
import { formatBytes, type ProgressState } from './progress.ts'
import type { StateStore } from './state.ts'

/** Stored state of an unfinished download. */
export interface SavedDownload extends Version {
  /** The URL can be short-lived. */
  readonly address: string
  readonly target: string
  /** Path of the part file that collects the bytes of this version. */
  readonly part: string
}

const TRIES = 4
const RETRY_DELAY_MS = 1000

interface Fetching {
  readonly saved: SavedDownload
  /** @throws {CliError} if the target exists and must not be replaced */
  readonly requireFree: (target: string) => Promise<void>
  readonly state: StateStore<SavedDownload>
  readonly onProgress: (state: ProgressState) => void
  /** Called after the part file is complete. */
  readonly onComplete?: (part: string) => Promise<void>
  /** How long the connection can transfer nothing before it counts as dead. */
  readonly silenceMs?: number
}

/**
 * Returns how many bytes of a version have arrived. Deletes a part file that cannot belong to the version, or whose
 * version is unknown.
 */
async function comeSoFar({ part, etag, sizeBytes }: SavedDownload): Promise<number> {
  const doneBytes = await sizeOf(part)
  if (doneBytes <= sizeBytes && etag !== '') return doneBytes
  await discardPart(part)
  return 0
}

const OUT_OF_RANGE = 416
const PARTIAL = 206

/**
 * Whether a response contains exactly the requested bytes, from a position to the end of a file of the expected size.
 */
const isRestFrom = (firstByte: number, { sizeBytes }: Version, { status, headers }: Response): boolean =>
  status === PARTIAL && headers.get('content-range') === `bytes ${firstByte}-${sizeBytes - 1}/${sizeBytes}`

interface Waiting {
  readonly silenceMs: number
}

/** Requests the missing bytes; a server that cannot send a range returns all bytes. @throws {CliError} */
async function ask(
  { saved, silenceMs }: Pick<Fetching, 'saved'> & Waiting,
  doneBytes: number,
): Promise<{ answer: Response; firstByte: number }> {
  const range = { range: `bytes=${doneBytes}-`, 'if-range': saved.etag }
  const headers = { ...BYTES_HEADERS, ...(doneBytes > 0 && range) }
  const answer = await request(saved.address, { headers }, silenceMs)
  if (doneBytes > 0 && isRestFrom(doneBytes, saved, answer)) return { answer, firstByte: doneBytes }
  if (doneBytes > 0 && (answer.status === PARTIAL || answer.status === OUT_OF_RANGE)) {
    await answer.body?.cancel()
    await discardPart(saved.part)
    return ask({ saved, silenceMs }, 0)
  }
  if (answer.ok && answer.status !== PARTIAL) return { answer, firstByte: 0 }
  throw refusalOf(saved.address, { status: answer.status, text: await textOf(saved.address, answer) })
}

/**
 * Returns the download to which a complete response belongs. This is `saved` if the file is unchanged, otherwise a copy
 * of `saved` with the new version and a new part file.
 */
function versionOf(saved: SavedDownload, { headers }: Response): SavedDownload {
  const etag = headers.get('etag') ?? ''
  const sizeBytes = Number(headers.get('content-length') ?? saved.sizeBytes)
  if (etag !== '' && etag === saved.etag && sizeBytes === saved.sizeBytes) return saved
  const version = { source: saved.source, etag, sizeBytes }
  return { ...saved, ...version, part: partFileOf(saved.target, version) }
}

/**
 * Writes each byte of a response at its own position in the part file. Concurrent downloads therefore overwrite each
 * other only with identical bytes.
 */
async function gather(
  { saved, onProgress, silenceMs }: Pick<Fetching, 'saved' | 'onProgress'> & Waiting,
  { answer, firstByte }: { answer: Response; firstByte: number },
): Promise<void> {
  const { address, target, part, sizeBytes: totalBytes } = saved
  const file = await onDisk(target, openPart(part))
  try {
    // The part file may have been deleted in the meantime. Writing at this position would then leave a hole at its
    // start.
    if ((await file.stat()).size < firstByte) throw await incomplete(saved)
    let doneBytes = firstByte
    for await (const chunk of arriving(address, answer, silenceMs)) {
      await onDisk(target, writeAt(file, chunk, doneBytes))
      doneBytes += chunk.length
      onProgress({ doneBytes, totalBytes })
    }
  } finally {
    await onDisk(target, file.close())
  }
}

async function incomplete({ part, sizeBytes }: SavedDownload): Promise<CliError> {
  const params = { done: formatBytes(await sizeOf(part)), total: formatBytes(sizeBytes) }
  return new CliError({ exitCode: EXIT.network, text: 'get.wrong_size', params })
}

/**
 * Downloads to a part file beside the target, or resumes an earlier attempt. Moves the complete file to the target.
 * @throws {CliError}
 */
export async function fetchFile(input: Fetching): Promise<void> {
  const { state, requireFree, onProgress, onComplete, silenceMs = SILENCE_MS } = input
  let { saved } = input
  const fetchRest = async () => {
    const doneBytes = await comeSoFar(saved)
    if (doneBytes > 0 && doneBytes === saved.sizeBytes) return
    const asked = await ask({ saved, silenceMs }, doneBytes)
    const now = asked.firstByte > 0 ? saved : versionOf(saved, asked.answer)
    if (now.part !== saved.part) {
      await discardPart(saved.part)
      saved = now
      await state.keep(saved)
    }
    await gather({ saved, onProgress, silenceMs }, asked)
  }
  for (let tries = 1; ; tries += 1) {
    try {
      await fetchRest()
      if ((await sizeOf(saved.part)) !== saved.sizeBytes) throw await incomplete(saved)
      await requireFree(saved.target)
      await onComplete?.(saved.part)
      await onDisk(saved.target, rename(saved.part, saved.target))
      // Ignores errors, because the file is complete, and leftover state does no harm.
      await state.forget().catch(() => undefined)
      return
    } catch (error) {
      if (!(error instanceof CliError) || error.exitCode !== EXIT.network) throw error
      if (tries === TRIES) throw await brokenOff(saved, error)
      await sleep(RETRY_DELAY_MS * tries)
    }
  }
}

async function brokenOff(saved: SavedDownload, cause: CliError): Promise<CliError> {
  const { sizeBytes } = saved
  const doneBytes = await comeSoFar(saved)
  if (doneBytes === 0) return cause
  const params = { done: formatBytes(doneBytes), total: formatBytes(sizeBytes) }
  return new CliError({ exitCode: EXIT.network, text: 'net.broken_download', params, cause })
}
