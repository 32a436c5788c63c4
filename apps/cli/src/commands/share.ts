import { extname, resolve } from 'node:path'
import { BUNDLE_MANIFEST_MAX_BYTES, MARKDOWN_EXTENSIONS } from '@dropleaf/contract'
import { takeLock } from '../targets/lock.ts'
import { doneList } from '../bundles/done-list.ts'
import { readTree } from '../bundles/local-tree.ts'
import { type BundleToShare, manifestOf, publishBundle, type SavedDraft } from '../bundles/publishing.ts'
import { requireUsable } from '../bundles/usable.ts'
import type { Connection } from '../client.ts'
import { CliError, EXIT, usageError } from '../errors.ts'
import { bundleLink } from '../links.ts'
import { createProgress, formatBytes } from '../progress.ts'
import { readText } from '../read-text.ts'
import { brokenOff, connect, printJson, readPassword, type Run, wordsOf } from '../run.ts'
import { readBundleSettings, shareSealed } from '../sealed/share-sealed.ts'
import { inState } from '../state-folder.ts'
import { stateFile, stateStore } from '../state.ts'

const STDIN = '-'

const isMarkdown = (name: string): boolean =>
  (MARKDOWN_EXTENSIONS as readonly string[]).includes(extname(name).slice(1).toLowerCase())

/**
 * Divides the arguments into the page and the items. Unless an option decides, the first argument becomes the page if
 * it is the only Markdown file.
 */
function divided({ options, names }: Run): { page: string | null; paths: readonly string[] } {
  if (options.page !== undefined && options['no-page']) throw usageError('usage.page')
  if (names.includes(STDIN)) throw usageError('usage.share_stdin')
  const [first, ...others] = names
  if (first === undefined && options.page === undefined) throw usageError('usage.paths')
  if (options.page !== undefined) return { page: options.page, paths: names }
  const isPage = first !== undefined && isMarkdown(first) && !others.some(isMarkdown)
  return isPage && !options['no-page'] ? { page: first, paths: others } : { page: null, paths: names }
}

async function readBundle(run: Run): Promise<BundleToShare> {
  const { options, environment } = run
  const settings = readBundleSettings(run)
  const { page, paths } = divided(run)
  const tree = await readTree(environment.folder, paths)
  requireUsable(run, tree.items)
  const type = options.plain ? ('text/plain' as const) : ('text/markdown' as const)
  const text = page === null ? null : await readText(environment, page)
  for (const file of tree.links) run.note('share.link_left_out', { file })
  if (text === null && tree.items.length === 0)
    throw new CliError({ exitCode: EXIT.failed, text: 'share.empty' })
  for (const file of tree.emptyFolders) run.note('share.folder_left_out', { file })
  return {
    settings: { ...settings, password: await readPassword(run) },
    title: options.title ?? null,
    page: text === null ? null : { type, text },
    items: tree.items,
    folder: options.folder ?? null,
    isWhole: options.whole ?? false,
  }
}

/** Returns values that identify the command, so that the same command resumes an interrupted upload. */
function partsOf({ environment, names, options }: Run, { server }: Connection): string[] {
  return [server, options.page ?? '', ...names.map((name) => resolve(environment.folder, name))]
}

const shownAs = ({ names, options }: Run): string => names[0] ?? options.page ?? ''

async function publish(run: Run, connection: Connection, bundle: BundleToShare): Promise<string> {
  const { environment, names } = run
  const parts = partsOf(run, connection)
  const fileOf = (ending: 'done' | 'lock') => stateFile(environment, { kind: 'bundle-upload', parts, ending })
  const lock = await inState(fileOf('lock'), takeLock(fileOf('lock')))
  if ('heldBy' in lock) throw new CliError({ exitCode: EXIT.failed, text: 'share.busy' })
  const totalBytes = bundle.items.reduce((sum, { file }) => sum + file.sizeBytes, 0)
  const shown = shownAs(run)
  const progress = createProgress(environment, names.length > 1 ? `${shown} …` : shown)
  try {
    const { slug } = await publishBundle(connection, {
      bundle,
      state: stateStore<SavedDraft>(environment, 'bundle-upload', parts),
      done: doneList<number>(fileOf('done')),
      onProgress: progress.show,
      onResume: (doneBytes) =>
        run.note('upload.resumed', {
          file: shown,
          done: formatBytes(doneBytes),
          total: formatBytes(totalBytes),
        }),
      aboutItem(item, error) {
        if (!(error instanceof CliError) || error.exitCode === EXIT.failed) return error
        const params = { file: item.file.shown, detail: wordsOf(run, error) }
        const { exitCode, code, status } = error
        return new CliError({ exitCode, text: 'share.item', params, code, status, cause: error })
      },
    })
    return slug
  } catch (error) {
    throw brokenOff(run, 'net.broken_share', { file: shown, error })
  } finally {
    progress.end()
    await lock.release()
  }
}

/** Shares files and folders under one link. The bundle is published after all files have arrived. */
export async function shareBundle(run: Run): Promise<void> {
  const { options } = run
  const connection = await connect(run)
  const bundle = await readBundle(run)
  const size = bundle.items.reduce((sum, { file }) => sum + file.sizeBytes, 0)
  const print = ({ link, slug }: { link: string; slug: string }) => {
    if (!options.json) run.print(link)
    else printJson(run, { link, slug, items: bundle.items.length, size })
  }
  if (options.seal) {
    const parts = partsOf(run, connection)
    print(
      await shareSealed(run, connection, {
        shown: shownAs(run),
        parts,
        contents: bundle,
        settings: bundle.settings,
      }),
    )
    return
  }
  if (Buffer.byteLength(JSON.stringify(manifestOf(bundle))) > BUNDLE_MANIFEST_MAX_BYTES)
    throw new CliError({ exitCode: EXIT.failed, text: 'share.too_long' })
  const slug = await publish(run, connection, bundle)
  print({ link: bundleLink(connection.server, slug), slug })
}
