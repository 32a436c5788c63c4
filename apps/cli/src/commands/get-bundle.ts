import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { OpenBundle } from '@dropleaf/contract'
import { doneList } from '../bundles/done-list.ts'
import { findFiles, type FoundFile, isItemGone } from '../bundles/found-files.ts'
import { createLocalNames } from '../bundles/local-names.ts'
import { isTicketOver, openBundle, type SavedOpening } from '../bundles/opening.ts'
import {
  addressOfFile,
  type Placed,
  saveBundle,
  saveFile,
  type SavedItem,
  saveText,
} from '../bundles/saving.ts'
import type { Connection } from '../client.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import { safeSegment } from '../names.ts'
import { createProgress } from '../progress.ts'
import { printJson, type Run } from '../run.ts'
import { stateFile, stateStore } from '../state.ts'
import { withTarget } from '../targets/target-lock.ts'
import { placeOf, requireFree, STDOUT, toStdout } from '../targets/targets.ts'

/** These systems usually ignore case in file names. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

/** Never empty, because an empty name would mean the parent folder. */
const nameOfBundle = ({ title, slug }: OpenBundle): string =>
  safeSegment(title?.trim() || slug.trim()) || 'bundle'

/** File name of the page: its title, with the extension of its type. */
const nameOfPage = ({ title, manifest }: OpenBundle): string =>
  safeSegment(`${title?.trim() || 'page'}.${manifest.page?.type === 'text/plain' ? 'txt' : 'md'}`)

const missing = (name: string) =>
  new CliError({ exitCode: EXIT.notFound, text: 'get.no_item', params: { name } })

function report(run: Run, target: string, more: object = {}): void {
  if (run.options.json) printJson(run, { ...more, file: target })
  else run.print(target)
}

/** Returns the target folder. It may exist, because an interrupted command resumes in the same folder. */
async function rootOf({ options, environment }: Run, name: string): Promise<string> {
  if (options.output === undefined) return resolve(environment.folder, name)
  const root = resolve(environment.folder, options.output)
  // The target itself may be a symbolic link to a folder. Links below it are not followed.
  return realpath(root).catch(() => root)
}

interface Found {
  readonly opened: OpenBundle
  readonly files: readonly FoundFile[]
  /** Paths of live folders that can no longer be read. */
  readonly gone: readonly string[]
}

/**
 * Saves the files below a folder. @param base path in the bundle that maps to the folder; empty for the whole bundle
 */
async function saveAll(
  run: Run,
  connection: Connection,
  { opened, files, gone, base, name }: Found & { readonly base: string; readonly name: string },
): Promise<void> {
  const { environment } = run
  const root = await rootOf(run, name)
  const names = createLocalNames({ ignoresCase: IGNORES_CASE })
  const below = base === '' ? '' : `${base}/`
  const placed: Placed[] = files.map((file) => ({ file, names: names.ofFile(file.path.slice(below.length)) }))
  const { page } = opened.manifest
  const parts = [connection.server, opened.slug, String(opened.revision), root]
  const done = doneList<SavedItem>(stateFile(environment, { kind: 'bundle-download', parts, ending: 'done' }))
  const progress = createProgress(environment, basename(root))
  const saved = await withTarget(environment, root, async () => {
    try {
      return await saveBundle({
        connection,
        opened,
        root,
        placed,
        page: page && base === '' ? { name: names.ofPage(nameOfPage(opened)), text: page.text } : null,
        done,
        requireFree: (target) => requireFree(run, target),
        onProgress: progress.show,
      })
    } finally {
      progress.end()
    }
  })
  await done.forget()
  const allGone = [...gone, ...saved.gone]
  for (const path of allGone) run.note('get.item_gone', { name: path })
  report(run, root, { files: files.length - saved.gone.length, missing: allGone })
  if (allGone.length > 0)
    throw new CliError({ exitCode: EXIT.notFound, text: 'get.incomplete', params: { count: allGone.length } })
}

/** Saves or prints a single file. */
async function saveOne(
  run: Run,
  connection: Connection,
  { opened, file }: { opened: OpenBundle; file: FoundFile },
) {
  const { environment, options } = run
  if (options.output === STDOUT) {
    await toStdout(run, addressOfFile({ connection, opened }, file.path))
    return
  }
  const target = await placeOf(run, safeSegment(basename(file.path)))
  await withTarget(environment, target, async () => {
    await requireFree(run, target)
    const progress = createProgress(environment, basename(target))
    const free = (path: string) => requireFree(run, path)
    try {
      await saveFile({ connection, opened, requireFree: free }, { file, target, onProgress: progress.show })
    } finally {
      progress.end()
    }
  })
  report(run, target)
}

async function savePage(run: Run, text: string, name: string): Promise<void> {
  if (run.options.output === STDOUT) {
    run.environment.stdout.write(text)
    return
  }
  const target = await placeOf(run, name)
  await requireFree(run, target)
  await saveText({ requireFree: (path) => requireFree(run, path) }, { text, target })
  report(run, target)
}

/** Saves one item: a file, a folder with everything below it, or the page, identified by the name of its file. */
async function saveOnly(run: Run, connection: Connection, opened: OpenBundle, only: string): Promise<void> {
  const { files, gone } = await findFiles(connection, opened, only)
  const { page } = opened.manifest
  const [first] = files
  if (first?.path === only) {
    await saveOne(run, connection, { opened, file: first }).catch((error: unknown) => {
      if (isItemGone(error)) throw missing(only)
      throw error
    })
  } else if (files.length > 0) {
    if (run.options.output === STDOUT) throw usageError('usage.only_stdout')
    const name = safeSegment(only.slice(only.lastIndexOf('/') + 1))
    await saveAll(run, connection, { opened, files, gone, base: only, name })
  } else if (page && only === nameOfPage(opened)) await savePage(run, page.text, only)
  else throw missing(only)
}

/**
 * Whether an error makes the stored opening useless. Other errors keep it, so that the command can be corrected and
 * repeated.
 */
const isEnd = (error: unknown): boolean =>
  isTicketOver(error) ||
  (error instanceof CliError &&
    (error.exitCode === EXIT.notFound || error.exitCode === EXIT.refused) &&
    error.text !== 'get.no_item')

/**
 * Opens a bundle and saves it, or one item of it, below a folder with its title. For six hours after an interruption,
 * the same command resumes with the same revision.
 */
export async function getBundle(run: Run, connection: Connection, slug: string): Promise<void> {
  const { options, environment } = run
  const only = options.only?.normalize('NFC').replace(/\/+$/, '') ?? null
  if (only === '') throw usageError('usage.only')
  if (only === null && options.output === STDOUT) throw usageError('usage.only_stdout')
  const state = stateStore<SavedOpening>(environment, 'bundle-download', [connection.server, slug])
  const { opened } = await openBundle(run, connection, { slug, state })
  try {
    if (only !== null) await saveOnly(run, connection, opened, only)
    else {
      const found = await findFiles(connection, opened, null)
      await saveAll(run, connection, { opened, ...found, base: '', name: nameOfBundle(opened) })
    }
  } catch (error) {
    if (isEnd(error)) await state.forget()
    throw error
  }
  await state.forget()
}
