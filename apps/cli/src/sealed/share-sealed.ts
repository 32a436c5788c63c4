import { doneList } from '../bundles/done-list.ts'
import type { BundleSettings } from '../bundles/publishing.ts'
import type { Connection } from '../client.ts'
import { CliError, EXIT } from '../errors.ts'
import { sealedLink } from '../links.ts'
import { readCount, readExpiry, readOpening } from '../options.ts'
import { createProgress, formatBytes } from '../progress.ts'
import { brokenOff, readPin, type Run } from '../run.ts'
import { inState } from '../state-folder.ts'
import { stateFile, type StateStore, stateStore } from '../state.ts'
import { takeLock } from '../targets/lock.ts'
import type { SealedContents } from './contents.ts'
import { publishSealed, type SavedSealed, type SealedStep } from './publishing.ts'

/**
 * Reads the options of a bundle, except for the password, for which the command may have to ask. @throws {CliError}
 */
export function readBundleSettings(run: Run): Omit<BundleSettings, 'password'> {
  const { options } = run
  const expires_in = readExpiry(options.expires)
  const max_views = readCount('--views', options.views)
  const pin = readPin(run)
  return {
    slug: options.link ?? null,
    remark: options.remark ?? null,
    expires_in,
    max_views,
    // Without this option, the server makes a bundle with a view limit require confirmation.
    opening: readOpening(options.opening, { asks: pin !== null }),
    pin,
  }
}

interface ToSeal {
  /** The name of the contents in messages. */
  readonly shown: string
  /** Values that identify the command, so that the same command resumes; `null` if the command cannot be resumed. */
  readonly parts: readonly string[] | null
  readonly contents: SealedContents
  readonly settings: BundleSettings
}

export interface SealedLink {
  /** The link with its key. */
  readonly link: string
  readonly slug: string
}

/** Stores the state in memory, for texts. Texts are sent within seconds, so nothing is written to the disk. */
function memoryState(): StateStore<SavedSealed> {
  let saved: SavedSealed | null = null
  return {
    find: async () => saved,
    keep: async (state) => void (saved = state),
    forget: async () => void (saved = null),
  }
}

function memorySteps() {
  let steps: SealedStep[] = []
  return {
    read: async () => steps,
    add: async (step: SealedStep) => void steps.push(step),
    forget: async () => void (steps = []),
  }
}

/** Opens the stored state of a command, and locks it against other processes that run the same command. */
async function openState({ environment }: Run, parts: readonly string[] | null) {
  if (parts === null) return { state: memoryState(), steps: memorySteps(), release: async () => undefined }
  const fileOf = (ending: 'done' | 'lock') => stateFile(environment, { kind: 'sealed-upload', parts, ending })
  const lock = await inState(fileOf('lock'), takeLock(fileOf('lock')))
  if ('heldBy' in lock) throw new CliError({ exitCode: EXIT.failed, text: 'share.busy' })
  return {
    state: stateStore<SavedSealed>(environment, 'sealed-upload', parts),
    // The list is durable. A part can reach the server before a power failure, and the salt of that part must not be
    // lost.
    steps: doneList<SealedStep>(fileOf('done'), { isDurable: true }),
    release: () => lock.release(),
  }
}

/** Encrypts contents and shares them. @returns the link with the key. @throws {CliError} */
export async function shareSealed(run: Run, connection: Connection, toSeal: ToSeal): Promise<SealedLink> {
  const { shown, parts, contents, settings } = toSeal
  const { options, environment } = run
  const { state, steps, release } = await openState(run, parts)
  const progress = createProgress(environment, shown)
  try {
    const { slug, linkKey } = await publishSealed(connection, {
      contents,
      settings,
      folder: options.folder ?? null,
      isRelayed: options.whole ?? false,
      state,
      steps,
      onProgress: progress.show,
      onResume: (doneBytes, totalBytes) =>
        run.note('upload.resumed', {
          file: shown,
          done: formatBytes(doneBytes),
          total: formatBytes(totalBytes),
        }),
    })
    return { link: sealedLink(connection.server, { slug, linkKey }), slug }
  } catch (error) {
    throw parts === null ? error : brokenOff(run, 'net.broken_share', { file: shown, error })
  } finally {
    progress.end()
    await release()
  }
}
