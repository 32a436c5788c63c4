import { MULTIPART_FROM_BYTES } from '@dropleaf/uploader'
import { requireUsable } from '../bundles/usable.ts'
import type { Connection } from '../client.ts'
import { usageError } from '../errors.ts'
import { fileLink } from '../links.ts'
import { bodyOf, lookAtFile } from '../local-file.ts'
import { readCount, readExpiry, readOpening } from '../options.ts'
import { createProgress, formatBytes } from '../progress.ts'
import { brokenOff, connect, printJson, readPassword, readPin, type Run } from '../run.ts'
import { readBundleSettings, shareSealed } from '../sealed/share-sealed.ts'
import { stateStore } from '../state.ts'
import { type SavedParts, sendInParts, sendWhole, type Shared, type ShareSettings } from '../uploads.ts'

const STDIN = '-'

async function shareStdin(run: Run, connection: Connection, settings: ShareSettings): Promise<Shared> {
  const progress = createProgress(run.environment, settings.filename)
  try {
    const body = run.environment.stdin
    return await sendWhole(connection, { settings, body, sizeBytes: null, onProgress: progress.show })
  } finally {
    progress.end()
  }
}

async function shareOne(
  run: Run,
  connection: Connection,
  input: { shown: string; settings: ShareSettings },
): Promise<Shared> {
  const { environment, options } = run
  const file = await lookAtFile(environment.folder, input.shown)
  const settings = { ...input.settings, filename: options.name ?? file.name }
  const progress = createProgress(environment, file.name)
  const { sizeBytes } = file
  try {
    if (options.whole || sizeBytes < MULTIPART_FROM_BYTES) {
      const size = file.isUnsized ? null : sizeBytes
      return await sendWhole(connection, {
        settings,
        body: bodyOf(file),
        sizeBytes: size,
        onProgress: progress.show,
      })
    }
    return await sendInParts(connection, {
      file,
      settings,
      state: stateStore<SavedParts>(environment, 'upload', [connection.server, file.path]),
      onProgress: progress.show,
      onResume: (doneBytes) =>
        run.note('upload.resumed', {
          file: file.shown,
          done: formatBytes(doneBytes),
          total: formatBytes(sizeBytes),
        }),
    }).catch((error: unknown) => {
      throw brokenOff(run, 'net.broken_upload', { file: file.shown, error })
    })
  } finally {
    progress.end()
  }
}

/** Encrypts each file and shares it as a separate bundle. */
async function shareSealedFiles(run: Run, connection: Connection): Promise<void> {
  const { environment, options, names } = run
  const settings = { ...readBundleSettings(run), password: await readPassword(run) }
  for (const shown of names) {
    const file = await lookAtFile(environment.folder, shown)
    const items = [{ path: (options.name ?? file.name).normalize('NFC'), file }]
    requireUsable(run, items)
    const parts = [connection.server, file.path]
    const contents = { title: null, page: null, items }
    const { link, slug } = await shareSealed(run, connection, { shown, parts, contents, settings })
    if (options.json) printJson(run, { link, slug, file: shown, size: file.sizeBytes })
    else run.print(link)
  }
}

/** Shares files, one after another. If a file fails, the files before it stay shared. */
export async function shareFiles(run: Run): Promise<void> {
  const { options, names } = run
  if (names.length === 0) throw usageError('usage.files')
  if (names.length > 1 && (options.link !== undefined || options.name !== undefined))
    throw usageError('usage.one_file')
  if (names.includes(STDIN) && options.seal) throw usageError('usage.stdin_seal')
  if (names.includes(STDIN) && options.name === undefined) throw usageError('usage.stdin_name')
  const expires_in = readExpiry(options.expires)
  const max_views = readCount('--views', options.views)
  const pin = readPin(run)
  const opening = readOpening(options.opening, { asks: max_views !== null || pin !== null })
  const connection = await connect(run)
  if (options.seal) {
    await shareSealedFiles(run, connection)
    return
  }
  const settings: ShareSettings = {
    filename: options.name ?? '',
    slug: options.link ?? null,
    remark: options.remark ?? null,
    password: await readPassword(run),
    expires_in,
    max_views,
    opening,
    pin,
    path: options.folder ?? null,
  }
  for (const shown of names) {
    const shared =
      shown === STDIN
        ? await shareStdin(run, connection, settings)
        : await shareOne(run, connection, { shown, settings })
    const link = fileLink(connection.server, shared.slug)
    if (options.json) printJson(run, { link, slug: shared.slug, file: shown, size: shared.sizeBytes })
    else run.print(link)
  }
}
