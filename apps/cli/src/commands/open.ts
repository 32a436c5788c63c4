import { basename, extname, resolve } from 'node:path'
import { openManifest, openPortable, type PortableCopy, PortableError, SealError } from '@dropleaf/seal'
import { readOnly } from '../bundles/save-contents.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import type { Run } from '../run.ts'
import { openLocalCopy } from '../sealed/copy-files.ts'
import { saveOpened } from '../sealed/opened.ts'
import { unlock } from '../sealed/share-key.ts'
import { inSealWords } from '../sealed/words.ts'

function inCopyWords(error: unknown, file: string): unknown {
  if (!(error instanceof PortableError)) return inSealWords(error, file)
  const failed = (text: 'seal.no_copy' | 'seal.version' | 'seal.copy_incomplete', params = {}) =>
    new CliError({ exitCode: EXIT.failed, text, params, cause: error })
  if (error.code === 'copy.version') return failed('seal.version')
  if (error.code === 'copy.malformed') return failed('seal.no_copy', { file })
  return failed('seal.copy_incomplete', { file: error.file })
}

/** Decrypts the manifest. A failure means a wrong key or password, because no server has checked a proof before. */
async function decryptManifest(run: Run, copy: PortableCopy, linkKey: string | null) {
  const { id: bundleId, revision, salts, sealedManifest: sealed } = copy
  const { manifestKey } = await unlock(run, { linkKey, salts })
  try {
    return await openManifest({ sealed, manifestKey, place: { bundleId, revision, salts } })
  } catch (error) {
    if (!(error instanceof SealError) || error.code !== 'manifest.refused') throw error
    const text = salts.kdf === null ? 'seal.copy_wrong_key' : 'seal.copy_wrong_password'
    throw new CliError({ exitCode: EXIT.credential, text, code: error.code })
  }
}

/** Opens a portable copy of a sealed bundle without a server, and saves its contents. */
export async function openCopy(run: Run): Promise<void> {
  const { environment, names, options } = run
  const [shown, given, other] = names
  // If the user passes a key instead of the file name, the key must not appear in a message about a missing file.
  const isKey = shown !== undefined && /(?:^|#)[\w-]{43}$/.test(shown)
  if (shown === undefined || other !== undefined || isKey) throw usageError('usage.open')
  const only = readOnly(run)
  try {
    await using local = await openLocalCopy(environment.folder, { shown, manifest: options.manifest })
    const copy = await openPortable(local.files)
    const manifest = await decryptManifest(run, copy, given ?? null)
    const name = basename(resolve(environment.folder, shown))
    await saveOpened(
      run,
      {
        bundleId: copy.id,
        revision: copy.revision,
        manifest,
        readRangeOf: (n) => copy.readRangeOf(n),
        // The name of the target must differ from that of the copy, because the copy may be in the same folder.
        slug: `${basename(name, extname(name))}-opened`,
      },
      only,
    )
  } catch (error) {
    throw inCopyWords(error, shown)
  }
}
