import type { OpenSealedBundle } from '@dropleaf/contract'
import type { Bytes } from '@dropleaf/seal'
import { derivePassword } from '../../../domains/sealed/kdf/derive-password.ts'
import { forgetSpools } from '../../../domains/sealed/saving/spool-cleanup.ts'
import { createDecryptedFiles } from './decrypted-files.ts'
import {
  type Decrypted,
  decryptBundle,
  proofOf,
  requestSealed,
  type SealedLook,
  unlock,
  type Unlocked,
} from './open-sealed.ts'
import type { ShownBundle } from './shown-bundle.ts'
import { toShownBundle } from './to-shown-bundle.ts'

/** Opens one encrypted bundle with one key. Keeps the keys in memory, so that opening again needs no password. */
export interface SealedOpening {
  /** Derives the keys, for a bundle with a password. @throws {SealError} */
  readonly enterPassword: (password: string, onProgress: (share: number) => void) => Promise<void>
  /**
   * Opens the bundle. Uses one view, or none if this tab still has a valid ticket and the revision that it shows is the
   * newest or the bundle has a view limit.
   * @throws {ApiError, SealError, PreviewError, OlderRevisionError}
   */
  readonly open: (signal?: AbortSignal) => Promise<ShownBundle>
  /** Shows a bundle that requires confirmation, after the reader has confirmed and opened it. */
  readonly accept: (opened: OpenSealedBundle) => Promise<ShownBundle>
  /** Proves to the server that this page has the key; `null` before the password is entered. */
  readonly proof: () => string | null
  /** Frees decrypted pictures. */
  readonly close: () => void
}

interface Setting {
  readonly slug: string
  readonly look: SealedLook
  readonly secret: Bytes
  /** Name of an archive of the whole bundle, if it has no title. */
  readonly untitled: string
}

export function createSealedOpening({ slug, look, secret, untitled }: Setting): SealedOpening {
  let unlocked: Unlocked | null = null
  let closeFiles: (() => void) | null = null
  forgetSpools().catch(reportError)
  async function keys(): Promise<Unlocked> {
    unlocked ??= await unlock({ look, secret, password: null, derivePassword })
    return unlocked
  }
  function show(decrypted: Decrypted): ShownBundle {
    closeFiles?.()
    const title = decrypted.reading.manifest.title ?? untitled
    const files = createDecryptedFiles(decrypted.reading, { secret, title })
    closeFiles = files.close
    return toShownBundle({ ...decrypted, manifest: decrypted.reading.manifest }, files)
  }
  return {
    async enterPassword(password, onProgress) {
      unlocked = await unlock({
        look,
        secret,
        password,
        derivePassword: (text, kdf) => derivePassword(text, kdf, onProgress),
      })
    },
    async open(signal) {
      // The keys are needed before the opening, because the confirmation page needs the proof even if the opening
      // fails.
      const known = await keys()
      return show(await decryptBundle(slug, await requestSealed(slug, known, signal), known))
    },
    accept: async (opened) => show(await decryptBundle(slug, opened, await keys())),
    proof: () => unlocked && proofOf(unlocked),
    close: () => closeFiles?.(),
  }
}
