import { lstat, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { BUNDLE_ITEMS_MAX, type BundlePathProblem, findBundlePathProblems } from '@dropleaf/contract'
import { CliError, EXIT } from '../errors.ts'
import { type LocalFile, lookAtFile, unreadable } from '../local-file.ts'
import type { TextKey } from '../texts/index.ts'

/** A local file, and its path in the bundle. */
export interface TreeItem {
  readonly path: string
  readonly file: LocalFile
}

export interface LocalTree {
  readonly items: readonly TreeItem[]
  /** Symbolic links in folders. They are skipped, because they can lead outside the folder. */
  readonly links: readonly string[]
  /** Folders without any file, of nested ones only the outermost. A bundle cannot contain them. */
  readonly emptyFolders: readonly string[]
}

interface Growing {
  /** Folder against which the paths on the command line are resolved. */
  readonly folder: string
  readonly items: TreeItem[]
  readonly links: string[]
  readonly emptyFolders: string[]
}

const failed = (text: TextKey, params: Readonly<Record<string, string | number>>) =>
  new CliError({ exitCode: EXIT.failed, text, params })

async function namesIn(tree: Growing, shown: string): Promise<string[]> {
  try {
    return (await readdir(resolve(tree.folder, shown))).toSorted()
  } catch (error) {
    throw unreadable(shown, error)
  }
}

interface Place {
  /** Local path as typed. For an entry of a typed folder, includes the path in that folder. */
  readonly shown: string
  /** Path in the bundle. */
  readonly path: string
}

/** Adds the files of a folder. @returns whether there is anything in the folder but empty folders */
async function addFolder(tree: Growing, { shown, path }: Place): Promise<boolean> {
  const known = tree.emptyFolders.length
  let hasAny = false
  for (const name of await namesIn(tree, shown)) {
    const isAny = await add(tree, { shown: join(shown, name), path: `${path}/${name}` }, false)
    hasAny ||= isAny
  }
  if (!hasAny) tree.emptyFolders.splice(known, Infinity, shown)
  return hasAny
}

/** Adds a file or a folder. @returns whether it is anything but an empty folder */
async function add(tree: Growing, place: Place, isNamed: boolean): Promise<boolean> {
  const { shown, path } = place
  const found = await lstat(resolve(tree.folder, shown)).catch((error: unknown) => {
    // Node.js replaces bytes that are not valid UTF-8, so the resulting name matches no file.
    throw shown.includes('\u{FFFD}')
      ? failed('share.name_encoding', { file: shown })
      : unreadable(shown, error)
  })
  if (found.isSymbolicLink()) {
    // The user has named this link. Skipping the link would silently omit it from the share.
    if (isNamed) throw failed('share.link', { file: shown })
    tree.links.push(shown)
  } else if (found.isDirectory()) {
    return addFolder(tree, place)
  } else if (found.isFile()) {
    if (tree.items.length >= BUNDLE_ITEMS_MAX) throw failed('share.too_many', { count: BUNDLE_ITEMS_MAX })
    tree.items.push({ path: path.normalize('NFC'), file: await lookAtFile(tree.folder, shown) })
  } else throw failed('share.special', { file: shown })
  return true
}

/**
 * Finds the files to share. Folders keep their name and structure.
 * @throws {CliError} if a path is missing, unreadable or a special file, if the user named a symbolic link, or if there
 * are too many files
 */
export async function readTree(folder: string, shown: readonly string[]): Promise<LocalTree> {
  const tree: Growing = { folder, items: [], links: [], emptyFolders: [] }
  for (const name of shown) await add(tree, { shown: name, path: basename(resolve(folder, name)) }, true)
  return tree
}

const WORDS: Readonly<Record<BundlePathProblem, TextKey>> = {
  length: 'share.path_length',
  name: 'share.path_name',
  characters: 'share.path_characters',
  duplicate: 'share.path_duplicate',
  below_item: 'share.path_below_item',
}

/**
 * Returns the files whose paths are invalid in a bundle. Each result contains a message that tells the user what to
 * do.
 */
export const unusablePaths = (items: readonly TreeItem[]): Array<{ text: TextKey; file: string }> =>
  [...findBundlePathProblems(items.map(({ path }) => path))].flatMap(([index, problem]) => {
    const item = items[index]
    return item ? [{ text: WORDS[problem], file: item.file.shown }] : []
  })
