import { fsFileRoutes, fsUploadRoutes } from '@dropleaf/contract'
import { api } from '../api-client.ts'
import { hasCode } from '../api-error.ts'
import { errorText } from '../i18n/error-text.ts'
import { notify } from '../notices.ts'
import { noteFolderChanged } from './changes.ts'
import type { PickedFile } from './picked-files.ts'
import { sendBytes } from './send-bytes.ts'
import { findTaken, freeName, joinPath, type NameConflict, type Placed } from './taken-names.ts'

const FILES_AT_ONCE = 3

interface MountUploads {
  /** Path of the folder that everything goes to. */
  readonly directory: string
  readonly picked: readonly PickedFile[]
  readonly emptyFolders?: readonly string[]
  /** What happens to names that are taken. */
  readonly conflict?: NameConflict
}

interface PlacedFile extends Placed {
  readonly file: File
}

const folderBelow = (directory: string, folder: string) =>
  `${directory.replace(/\/+$/, '')}/${folder}`.replace(/\/+$/, '') || '/'

/** Makes a folder and those above it, from the target on. What is there already is fine. */
async function makeFolders(directory: string, folder: string): Promise<void> {
  let path = directory.replace(/\/+$/, '')
  for (const name of folder.split('/').filter(Boolean)) {
    path = `${path}/${name}`
    try {
      await api(fsFileRoutes.mkdir, { body: { path } })
    } catch (error) {
      if (!hasCode(error, 'fs.exists')) throw error
    }
  }
}

async function settleNames(files: readonly PlacedFile[], conflict: NameConflict): Promise<PlacedFile[]> {
  if (conflict === 'overwrite') return [...files]
  const taken = await findTaken(files)
  const reserved = new Set([...taken, ...files.map(({ directory, name }) => joinPath(directory, name))])
  const settled: PlacedFile[] = []
  for (const file of files) {
    if (!taken.has(joinPath(file.directory, file.name))) settled.push(file)
    else if (conflict === 'rename') {
      const name = await freeName(file, reserved)
      reserved.add(joinPath(file.directory, name))
      settled.push({ ...file, name })
    }
  }
  return settled
}

async function uploadOne({ directory, name, file }: PlacedFile): Promise<void> {
  const { data } = await api(fsUploadRoutes.presign, {
    body: { path: directory, fileName: name, fileSize: file.size },
  })
  await sendBytes({
    method: 'PUT',
    url: data.presignedUrl,
    headers: { 'Content-Type': data.contentType },
    body: file,
    signal: AbortSignal.timeout(300_000),
    onProgress: () => undefined,
  })
  await api(fsUploadRoutes.commit, { body: { fileId: data.fileId, fileSize: file.size } })
}

async function run({ directory, picked, emptyFolders = [], conflict = 'rename' }: MountUploads) {
  for (const folder of emptyFolders) await makeFolders(directory, folder)
  const placed = picked.map(({ file, folder }) => ({
    file,
    directory: folderBelow(directory, folder),
    name: file.name,
  }))
  const waiting = await settleNames(placed, conflict)
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      try {
        await uploadOne(next)
      } catch (error) {
        notify('error', `${next.name}: ${errorText(error)}`)
      }
      noteFolderChanged(next.directory)
      noteFolderChanged(directory)
    }
  }
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, work))
}

/** Uploads files into a folder of a mount, with the folders they came in. */
export function addMountUploads(uploads: MountUploads): void {
  run(uploads).catch((error: unknown) => notify('error', errorText(error)))
}
