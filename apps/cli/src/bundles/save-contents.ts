import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { CliError, EXIT, usageError } from '../errors.ts'
import { safeSegment } from '../names.ts'
import { createProgress } from '../progress.ts'
import { printJson, type Run } from '../run.ts'
import { stateFile } from '../state.ts'
import { withTarget } from '../targets/target-lock.ts'
import { placeOf, requireFree, STDOUT } from '../targets/targets.ts'
import { doneList } from './done-list.ts'
import { type FoundFile, type FoundFiles, isItemGone } from './found-files.ts'
import { createLocalNames } from './local-names.ts'
import { type OneFile, type Placed, saveBundle, type SavedItem, saveText } from './saving.ts'

/** These systems usually ignore case in file names. */
const IGNORES_CASE = process.platform === 'win32' || process.platform === 'darwin'

/** An opened bundle. Its bytes come from a server or from a portable copy. */
export interface BundleContents {
  /** Identifies the opened revision, for the list of saved files. */
  readonly version: readonly string[]
  readonly title: string | null
  /** Name of the folder if the bundle has no title. */
  readonly slug: string
  readonly page: { readonly type: string; readonly read: () => Promise<string> } | null
  /** @param only path of the only item to find; `null` for all items */
  find(only: string | null): Promise<FoundFiles>
  /** Saves a file to its final path. @throws {CliError} */
  save(one: OneFile): Promise<void>
  /** Writes a file to standard output. @throws {CliError} */
  print(file: FoundFile): Promise<void>
}

/**
 * Returns the name of a bundle's folder. The name is never empty, because an empty name would mean the parent folder.
 */
const nameOfBundle = ({ title, slug }: BundleContents): string =>
  safeSegment(title?.trim() || slug.trim()) || 'bundle'

/** File name of the page: its title, with the extension of its type. */
const nameOfPage = ({ title, page }: BundleContents): string =>
  safeSegment(`${title?.trim() || 'page'}.${page?.type === 'text/plain' ? 'txt' : 'md'}`)

const missing = (name: string) =>
  new CliError({ exitCode: EXIT.notFound, text: 'get.no_item', params: { name } })

function report(run: Run, target: string, more: object = {}): void {
  if (run.options.json) printJson(run, { ...more, file: target })
  else run.print(target)
}

/** Returns the target folder. The folder may exist, because an interrupted command resumes in the same folder. */
async function rootOf({ options, environment }: Run, name: string): Promise<string> {
  if (options.output === undefined) return resolve(environment.folder, name)
  const root = resolve(environment.folder, options.output)
  // The target itself may be a symbolic link to a folder. Links below it are not followed.
  return realpath(root).catch(() => root)
}

interface Found extends FoundFiles {
  readonly contents: BundleContents
}

/**
 * Saves the files below a folder.
 * @param base path in the bundle that maps to the folder; empty for the whole bundle
 */
async function saveAll(
  run: Run,
  { contents, files, gone, base, name }: Found & { readonly base: string; readonly name: string },
): Promise<void> {
  const { environment } = run
  const root = await rootOf(run, name)
  const names = createLocalNames({ ignoresCase: IGNORES_CASE })
  const below = base === '' ? '' : `${base}/`
  const placed: Placed[] = files.map((file) => ({ file, names: names.ofFile(file.path.slice(below.length)) }))
  const { page, version } = contents
  const parts = [...version, root]
  const done = doneList<SavedItem>(stateFile(environment, { kind: 'bundle-download', parts, ending: 'done' }))
  const progress = createProgress(environment, basename(root))
  const saved = await withTarget(environment, root, async () => {
    try {
      return await saveBundle({
        root,
        placed,
        page: page && base === '' ? { name: names.ofPage(nameOfPage(contents)), read: page.read } : null,
        done,
        requireFree: (target) => requireFree(run, target),
        save: (one) => contents.save(one),
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
export async function saveOne(
  run: Run,
  { contents, file }: { contents: BundleContents; file: FoundFile },
): Promise<void> {
  const { environment, options } = run
  if (options.output === STDOUT) {
    await contents.print(file)
    return
  }
  const target = await placeOf(run, safeSegment(basename(file.path)))
  await withTarget(environment, target, async () => {
    await requireFree(run, target)
    const progress = createProgress(environment, basename(target))
    const free = (path: string) => requireFree(run, path)
    try {
      await contents.save({ file, target, requireFree: free, onProgress: progress.show })
    } finally {
      progress.end()
    }
  })
  report(run, target)
}

export async function savePage(run: Run, text: string, name: string): Promise<void> {
  if (run.options.output === STDOUT) {
    run.environment.stdout.write(text)
    return
  }
  const target = await placeOf(run, name)
  await requireFree(run, target)
  await saveText({ text, target, requireFree: (path) => requireFree(run, path) })
  report(run, target)
}

/**
 * Saves one item: a file, a folder with everything below it, or the page. The page is selected by the name of its file.
 */
async function saveOnly(run: Run, contents: BundleContents, only: string): Promise<void> {
  const { files, gone } = await contents.find(only)
  const { page } = contents
  const [first] = files
  if (first?.path === only) {
    await saveOne(run, { contents, file: first }).catch((error: unknown) => {
      if (isItemGone(error)) throw missing(only)
      throw error
    })
  } else if (files.length > 0) {
    if (run.options.output === STDOUT) throw usageError('usage.only_stdout')
    const name = safeSegment(only.slice(only.lastIndexOf('/') + 1))
    await saveAll(run, { contents, files, gone, base: only, name })
  } else if (page && only === nameOfPage(contents)) await savePage(run, await page.read(), only)
  else throw missing(only)
}

/** Reads the option `--only`; `null` without it. @throws {CliError} if it is empty */
export function readOnly({ options }: Run): string | null {
  const only = options.only?.normalize('NFC').replace(/\/+$/, '') ?? null
  if (only === '') throw usageError('usage.only')
  return only
}

/**
 * Saves a bundle in a folder that has its title, or only one of its items under the name of the item. The option
 * `--output` names another target. @throws {CliError}
 */
export async function saveContents(run: Run, contents: BundleContents, only: string | null): Promise<void> {
  if (only !== null) await saveOnly(run, contents, only)
  else {
    if (run.options.output === STDOUT) throw usageError('usage.only_stdout')
    const found = await contents.find(null)
    await saveAll(run, { contents, ...found, base: '', name: nameOfBundle(contents) })
  }
}
