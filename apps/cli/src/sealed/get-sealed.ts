import { bundleErrors, type bundleReadingRoutes, type ReplyOf, SEAL_VERSION } from '@dropleaf/contract'
import { openManifest, parseShareSalts, sealedText, type ShareKeys, type ShareSalts } from '@dropleaf/seal'
import { isEnd, isSealed, openBundle, type SavedOpening } from '../bundles/opening.ts'
import type { Connection } from '../client.ts'
import { CliError, EXIT, hasCode, usageError } from '../errors.ts'
import type { Run } from '../run.ts'
import { stateStore } from '../state.ts'
import { STDOUT } from '../targets/targets.ts'
import { type OpenedSeal, saveOpened } from './opened.ts'
import { saveCopy } from './save-copy.ts'
import { unlock } from './share-key.ts'
import { storedRanges } from './stored-ranges.ts'
import { withSealWords } from './words.ts'

interface SealedShare {
  readonly slug: string
  readonly linkKey: string | null
  /** Path of the only item to save; `null` for all items. */
  readonly only: string | null
  /** The metadata that the server returns before the bundle is opened. */
  readonly facts: ReplyOf<typeof bundleReadingRoutes.look>['data']
}

interface Unlocked {
  readonly slug: string
  readonly salts: ShareSalts
  readonly keys: ShareKeys
  readonly state: ReturnType<typeof stateStore<SavedOpening>>
}

/** Opens the bundle with the proof. Only the key can decrypt what the server returns. */
async function open(run: Run, connection: Connection, { slug, salts, keys, state }: Unlocked) {
  try {
    return (await openBundle(run, connection, { slug, state, proof: sealedText(keys.proof) })).opened
  } catch (error) {
    if (!hasCode(error, bundleErrors.proof_wrong.code)) throw error
    const text = salts.kdf === null ? 'seal.wrong_key' : 'seal.wrong_password'
    throw new CliError({ exitCode: EXIT.credential, text, code: bundleErrors.proof_wrong.code })
  }
}

async function decrypt(
  run: Run,
  connection: Connection,
  unlocked: Unlocked,
): Promise<{ seal: OpenedSeal; sealedManifest: Uint8Array }> {
  const { slug, salts, keys } = unlocked
  const opened = await open(run, connection, unlocked)
  if (!isSealed(opened)) throw new CliError({ exitCode: EXIT.refused, text: 'seal.not_sealed' })
  const { id: bundleId, revision, ticket } = opened
  const sealedManifest = new Uint8Array(Buffer.from(opened.manifest, 'base64'))
  const manifest = await withSealWords(
    slug,
    openManifest({
      sealed: sealedManifest,
      manifestKey: keys.manifestKey,
      place: { bundleId, revision, salts },
    }),
  )
  const numbers = manifest.objects.map(({ n }) => n)
  const readRangeOf = storedRanges({ connection, slug, ticket, numbers })
  return { seal: { bundleId, revision, manifest, readRangeOf, slug }, sealedManifest }
}

/**
 * Opens a sealed bundle with its key, and saves its contents. For six hours after an interruption, the same command
 * resumes with the same revision. The key is not stored.
 * @throws {CliError}
 */
export async function getSealed(
  run: Run,
  connection: Connection,
  { slug, linkKey, only, facts }: SealedShare,
): Promise<void> {
  const { encrypted, output } = run.options
  if (encrypted && (only !== null || output === STDOUT)) throw usageError('usage.encrypted_whole')
  if (facts.sealed !== SEAL_VERSION) throw new CliError({ exitCode: EXIT.refused, text: 'seal.version' })
  const salts = await withSealWords(
    slug,
    (async () => parseShareSalts({ salt: facts.salt, kdf: facts.kdf }))(),
  )
  const keys = await unlock(run, { linkKey, salts })
  const state = stateStore<SavedOpening>(run.environment, 'bundle-download', [connection.server, slug])
  try {
    const { seal, sealedManifest } = await decrypt(run, connection, { slug, salts, keys, state })
    if (run.options.encrypted) await saveCopy(run, { seal, salts, sealedManifest })
    else await saveOpened(run, seal, only)
  } catch (error) {
    if (isEnd(error)) await state.forget()
    throw error
  }
  await state.forget()
}
