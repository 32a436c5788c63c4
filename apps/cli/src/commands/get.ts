import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  bundleErrors,
  fileErrors,
  fileRoutes,
  pasteErrors,
  pasteRoutes,
  shareErrors,
} from '@dropleaf/contract'
import { addressOf, BYTES_HEADERS, call, type Connection, refusalOf, request } from '../client.ts'
import { onDisk } from '../disk.ts'
import { fetchFile, type SavedDownload } from '../download.ts'
import { withTarget } from '../targets/target-lock.ts'
import { CliError, EXIT, hasCode, usageError } from '../errors.ts'
import { parseShareName, type ShareName, withoutKey } from '../links.ts'
import { safeName } from '../names.ts'
import { partFileOf, sizeOf, type Version } from '../targets/part-file.ts'
import { createProgress } from '../progress.ts'
import { printJson, readPassword, type Run } from '../run.ts'
import { resolveConnection } from '../settings.ts'
import { stateStore, type StateStore } from '../state.ts'
import { asksFirst, takeFile, takeText } from '../take.ts'
import { OVERWRITING, placeOf, requireFree, STDOUT, toStdout } from '../targets/targets.ts'
import { getBundle } from './get-bundle.ts'

const needsPassword = (cause?: unknown) =>
  new CliError({ exitCode: EXIT.credential, text: 'get.password', cause })

async function getText(run: Run, connection: Connection, slug: string): Promise<void> {
  const { options, environment } = run
  const isShown = options.output === undefined || options.output === STDOUT
  const target = isShown ? null : await placeOf(run, `${slug}.txt`)
  if (target !== null) await requireFree(run, target)
  const params = { slug }
  const password = await readPassword(run)
  const readDirect = async () => {
    if (password === null) return call(connection, pasteRoutes.read, { params })
    try {
      return await call(connection, pasteRoutes.unlock, { params, body: { password } })
    } catch (error) {
      // The share has no password. The password of this command can come from an environment variable that is set for
      // other shares.
      if (hasCode(error, pasteErrors.no_password.code)) return call(connection, pasteRoutes.read, { params })
      throw error
    }
  }
  const text = await readDirect().catch(async (error: unknown) => {
    if (!asksFirst(error)) throw error
    return (await takeText(run, connection, { slug, password })).data
  })
  if ('requiresPassword' in text) throw needsPassword()
  if (target !== null) await onDisk(target, writeFile(target, text.content, { flag: OVERWRITING }))
  if (options.json) printJson(run, { ...text, ...(target !== null && { content: undefined, file: target }) })
  else if (target === null) environment.stdout.write(text.content)
}

interface Opened {
  readonly address: string
  readonly name: string
  readonly sizeBytes: number
  readonly etag: string
}

const ASK_FIRST: number = shareErrors.ask_first.status

/**
 * Opens a share that requires confirmation. The returned URL stays valid for a while, so that an interrupted download
 * can resume with the same URL.
 */
async function openAsked(run: Run, connection: Connection, slug: string): Promise<string> {
  const password = await readPassword(run)
  const { data } = await takeFile(run, connection, { slug, password })
  return (
    data.proxy_download_url ?? addressOf(connection.server, fileRoutes.download.path, { params: { slug } })
  )
}

/** Unlocks a protected share. The returned URL stays valid for a while, so a resumed download can use it again. */
async function unlock(run: Run, connection: Connection, slug: string): Promise<string> {
  const password = await readPassword(run)
  if (password === null) throw needsPassword()
  const { data } = await call(connection, fileRoutes.publicVerify, { params: { slug }, body: { password } })
  return (
    data.proxy_download_url ?? addressOf(connection.server, fileRoutes.download.path, { params: { slug } })
  )
}

/**
 * Looks up a share, which uses no view. If the share has a password or requires confirmation, opens it, which uses one
 * view.
 * @throws {CliError}
 */
async function open(run: Run, connection: Connection, slug: string): Promise<Opened> {
  const headers = { ...BYTES_HEADERS, 'accept-language': connection.language }
  const plain = addressOf(connection.server, fileRoutes.download.path, { params: { slug } })
  const head = (address: string) => request(address, { method: 'HEAD', headers })
  let address = plain
  let answer = await head(address)
  if (answer.status === 401) {
    address = await unlock(run, connection, slug)
    answer = await head(address)
  } else if (answer.status === ASK_FIRST) {
    address = await openAsked(run, connection, slug)
    answer = await head(address)
  }
  if (!answer.ok) {
    // A response to HEAD has no body, so the error is read from another route. If the share is missing, that route
    // counts no view.
    if (answer.status === 404 || answer.status === 410)
      await call(connection, fileRoutes.publicRead, { params: { slug } })
    throw refusalOf(address, { status: answer.status, text: '' })
  }
  return {
    address,
    name: safeName(answer.headers.get('content-disposition'), slug),
    sizeBytes: Number(answer.headers.get('content-length') ?? 0),
    etag: answer.headers.get('etag') ?? '',
  }
}

/** Finds an earlier attempt at this download, if its part file still exists. */
async function findBegun(state: StateStore<SavedDownload>): Promise<SavedDownload | null> {
  const saved = await state.find()
  // Earlier versions of the command did not store the path of the part file.
  return saved !== null && saved.etag !== '' && saved.part && (await sizeOf(saved.part)) > 0 ? saved : null
}

async function begin(run: Run, connection: Connection, slug: string): Promise<SavedDownload> {
  const { name, address, sizeBytes, etag } = await open(run, connection, slug)
  const target = await placeOf(run, name)
  await requireFree(run, target)
  const version: Version = { source: `${connection.server} ${slug}`, etag, sizeBytes }
  return { ...version, address, target, part: partFileOf(target, version) }
}

async function getFile(run: Run, connection: Connection, slug: string): Promise<void> {
  const { environment, options } = run
  if (options.output === STDOUT) {
    await toStdout(run, (await open(run, connection, slug)).address)
    return
  }
  const place =
    options.output === undefined ? environment.folder : resolve(environment.folder, options.output)
  const state = stateStore<SavedDownload>(environment, 'download', [connection.server, slug, place])
  const fetchIt = (saved: SavedDownload) =>
    withTarget(environment, saved.target, async () => {
      // The previous holder of the lock may have written the file.
      await requireFree(run, saved.target)
      await state.keep(saved)
      const progress = createProgress(environment, slug)
      try {
        await fetchFile({
          saved,
          state,
          requireFree: (target) => requireFree(run, target),
          onProgress: progress.show,
        })
      } finally {
        progress.end()
      }
      return saved.target
    })
  const begun = await findBegun(state)
  let target: string
  try {
    target = await fetchIt(begun ?? (await begin(run, connection, slug)))
  } catch (error) {
    // The URL of the earlier attempt has expired. The remaining bytes are fetched from a new URL.
    const isLinkOver = asksFirst(error) || hasCode(error, fileErrors.link_invalid.code)
    if (begun === null || !isLinkOver) throw error
    const { address } = await open(run, connection, slug)
    target = await fetchIt({ ...begun, address })
  }
  if (options.json) printJson(run, { file: target })
  else run.print(target)
}

async function connectionFor(run: Run, { server }: ShareName): Promise<Connection> {
  const { language, environment, options } = run
  // Anyone with the link can open the share, so the API key is not sent.
  return { server: server ?? (await resolveConnection(environment, options)).server, key: null, language }
}

/** Prints a text, downloads a file, or saves a bundle. */
export async function getShare(run: Run): Promise<void> {
  const [named, other] = run.names
  if (named === undefined || other !== undefined) throw usageError('usage.share')
  const share = parseShareName(named)
  // Only bundles have items, and only bundles are encrypted.
  const isForBundle = run.options.only !== undefined || run.options.encrypted === true
  if (isForBundle && share.kind !== null && share.kind !== 'bundle') throw usageError('usage.only')
  const connection = await connectionFor(run, share)
  const kinds = [
    {
      kind: 'text',
      get: () => getText(run, connection, share.slug),
      missing: pasteErrors.not_found.code,
    },
    {
      kind: 'file',
      get: () => getFile(run, connection, share.slug),
      missing: fileErrors.not_found.code,
    },
    { kind: 'bundle', get: () => getBundle(run, connection, share), missing: bundleErrors.not_found.code },
  ] as const
  for (const { kind, get, missing } of kinds) {
    const isMeant =
      share.kind === null
        ? kind === 'bundle' || !(isForBundle || share.linkKey !== null)
        : share.kind === kind
    if (!isMeant) continue
    try {
      await get()
      return
    } catch (error) {
      // The link does not contain the kind of the share, so the next kind is tried.
      if (share.kind !== null || !hasCode(error, missing)) throw error
    }
  }
  throw new CliError({
    exitCode: EXIT.notFound,
    text: 'share.not_found',
    params: { name: withoutKey(named) },
  })
}
