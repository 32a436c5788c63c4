import { type FileHandle, open, stat } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import {
  openZip,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  type PortableFile,
  type PortableFiles,
} from '@dropleaf/seal'
import { unreadable } from '../local-file.ts'

/** A portable copy on the disk: an archive, a folder, or single files. */

/** Opens a file for reading at any position. @throws {CliError} */
async function openLocal(path: string, shown: string): Promise<{ file: PortableFile; handle: FileHandle }> {
  try {
    const handle = await open(path)
    const { size } = await handle.stat()
    const file: PortableFile = {
      size,
      async read(offset, length) {
        const bytes = new Uint8Array(length)
        let at = 0
        while (at < length) {
          const { bytesRead } = await handle.read(bytes, at, length - at, offset + at)
          if (bytesRead === 0) break
          at += bytesRead
        }
        return bytes.subarray(0, at)
      },
    }
    return { file, handle }
  } catch (error) {
    throw unreadable(shown, error)
  }
}

/** The files of a copy. Disposing the copy closes its files. */
export interface LocalCopy extends AsyncDisposable {
  readonly files: PortableFiles
}

/** Opens a copy in folders. If several folders contain a file, uses the file of the first folder. */
function inFolders(folders: readonly string[], manifest: string): LocalCopy {
  const handles = new Set<FileHandle>()
  return {
    files: {
      async find(name) {
        const local = name === PORTABLE_MANIFEST_NAME ? manifest : name
        for (const folder of folders) {
          const path = join(folder, local)
          const found = await stat(path).catch(() => null)
          if (!found?.isFile()) continue
          const { file, handle } = await openLocal(path, path)
          handles.add(handle)
          return file
        }
        return null
      },
    },
    async [Symbol.asyncDispose]() {
      for (const handle of handles) await handle.close()
    },
  }
}

/** Whether a file with this name belongs to a copy. The other files of the copy are then in the same folder. */
const isPiece = (name: string): boolean =>
  extname(name) === '.dls' || name === PORTABLE_FACTS_NAME || name === PORTABLE_MANIFEST_NAME

/**
 * Finds a portable copy.
 * @param shown an archive, a folder, or a file of a copy, as typed
 * @param manifest the file with the manifest, if it is elsewhere or has another name
 * @throws {CliError}
 */
export async function openLocalCopy(
  folder: string,
  { shown, manifest }: { readonly shown: string; readonly manifest: string | undefined },
): Promise<LocalCopy> {
  const path = resolve(folder, shown)
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(shown, error)
  })
  const beside = found.isDirectory() ? path : dirname(path)
  if (manifest !== undefined) {
    const place = resolve(folder, manifest)
    return inFolders([dirname(place), beside], basename(place))
  }
  if (found.isDirectory() || isPiece(basename(path))) return inFolders([beside], PORTABLE_MANIFEST_NAME)
  const { file, handle } = await openLocal(path, shown)
  try {
    return { files: await openZip(file), [Symbol.asyncDispose]: () => handle.close() }
  } catch (error) {
    await handle.close()
    throw error
  }
}
