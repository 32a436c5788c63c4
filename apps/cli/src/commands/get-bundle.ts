import { bundleErrors, bundleReadingRoutes, type OpenBundle } from '@dropleaf/contract'
import { findFiles } from '../bundles/found-files.ts'
import { isEnd, isSealed, openBundle, type SavedOpening } from '../bundles/opening.ts'
import { type BundleContents, readOnly, saveContents } from '../bundles/save-contents.ts'
import { addressOfFile, saveFile } from '../bundles/saving.ts'
import { call, type Connection } from '../client.ts'
import { CliError, EXIT, hasCode, usageError } from '../errors.ts'
import type { ShareName } from '../links.ts'
import type { Run } from '../run.ts'
import { getSealed } from '../sealed/get-sealed.ts'
import { hasShareKey } from '../sealed/share-key.ts'
import { stateStore } from '../state.ts'
import { STDOUT, toStdout } from '../targets/targets.ts'

/** Returns the contents of a bundle that is not encrypted. */
function openContents(run: Run, connection: Connection, opened: OpenBundle): BundleContents {
  const { title, slug, revision, manifest } = opened
  const { page } = manifest
  return {
    version: [connection.server, slug, String(revision)],
    title,
    slug,
    page: page && { type: page.type, read: async () => page.text },
    find: (only) => findFiles(connection, opened, only),
    save: (one) => saveFile({ connection, opened }, one),
    print: ({ path }) => toStdout(run, addressOfFile({ connection, opened }, path)),
  }
}

/**
 * Requests the metadata of a bundle without opening it. Returns `null` if the server is too old for this request.
 * @throws {CliError}
 */
async function look(connection: Connection, slug: string) {
  try {
    return (await call(connection, bundleReadingRoutes.look, { params: { slug } })).data
  } catch (error) {
    const isUnknownRoute =
      error instanceof CliError && error.status === 404 && !hasCode(error, bundleErrors.not_found.code)
    if (!isUnknownRoute) throw error
    return null
  }
}

async function getOpen(run: Run, connection: Connection, slug: string, only: string | null) {
  if (only === null && run.options.output === STDOUT) throw usageError('usage.only_stdout')
  const state = stateStore<SavedOpening>(run.environment, 'bundle-download', [connection.server, slug])
  const { opened } = await openBundle(run, connection, { slug, state, proof: null })
  try {
    if (isSealed(opened)) throw new CliError({ exitCode: EXIT.refused, text: 'seal.invalid' })
    await saveContents(run, openContents(run, connection, opened), only)
  } catch (error) {
    if (isEnd(error)) await state.forget()
    throw error
  }
  await state.forget()
}

/**
 * Opens a bundle, and saves its contents, see `saveContents`. For six hours after an interruption, the same command
 * resumes with the same revision.
 */
export async function getBundle(run: Run, connection: Connection, share: ShareName): Promise<void> {
  const only = readOnly(run)
  const { slug, linkKey } = share
  const facts = await look(connection, slug)
  if (facts && isSealed(facts)) {
    await getSealed(run, connection, { slug, linkKey, only, facts })
    return
  }
  // The link contains a key, so the contents must be encrypted. A malicious server could return other, unencrypted
  // contents.
  if (hasShareKey(run, linkKey)) throw new CliError({ exitCode: EXIT.refused, text: 'seal.not_sealed' })
  if (run.options.encrypted) throw usageError('usage.encrypted')
  await getOpen(run, connection, slug, only)
}
