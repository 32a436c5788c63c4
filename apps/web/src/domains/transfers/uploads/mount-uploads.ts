import { fsFileRoutes } from '@dropleaf/contract'
import { chooseMethod, systemClock, Upload } from '@dropleaf/uploader'
import { api } from '../../api/api-client.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { noticeFailure, noticeLeft } from '../../session/session-notices.ts'
import { NOBODY } from '../../session/data-owner.ts'
import { currentOwner, holdForOwner } from '../../session/session-owner.ts'
import { settleBeforeWrites } from '../tasks/before-writes.ts'
import { noteFolderChanged } from '../tasks/changes.ts'
import { persistUpload } from './persist-upload.ts'
import { mountTransport } from './mount-transports.ts'
import { askAboutNames } from './name-question.ts'
import type { PickedFile } from './picked-files.ts'
import type { SavedRecord } from './saved-uploads.ts'
import { findTaken, freeName, joinPath, type NameConflict, type Placed } from './taken-names.ts'
import type { UnsentUpload } from './unsent-uploads.ts'
import { isPassing } from './upload-calls.ts'
import { uploadLanes } from './upload-lanes.ts'
import {
  blobSource,
  type FileFacts,
  type NewUpload,
  type UploadBatch,
  type UploadEntry,
  type UploadResult,
} from './upload-store.ts'
import { getMethodChoice, type MethodChoice, uploads } from './uploads.ts'

interface MountUploads {
  readonly directory: string
  readonly picked: readonly PickedFile[]
  readonly emptyFolders?: readonly string[]
  /** How to handle existing names. If absent, the user is asked. */
  readonly conflict?: NameConflict
  /** If absent, the method that the user chose last is used. */
  readonly method?: MethodChoice
}

interface PlacedFile extends Placed, PickedFile {}

const plainFolder = (directory: string) => directory.replace(/\/+$/, '') || '/'
const folderBelow = (directory: string, folder: string) => plainFolder(joinPath(directory, folder))
const pathOf = ({ directory, name }: Placed) => joinPath(directory, name)

export const directoryOf = ({ batch, folder }: Pick<UploadEntry, 'batch' | 'folder'>) =>
  folderBelow(batch.directory, folder)

let lastBatch = 0
function newBatch(directory: string): UploadBatch {
  lastBatch += 1
  return { id: `mount-${lastBatch}`, kind: 'mount', directory, addedAtMs: Date.now() }
}

/** Creates a folder and its parents below the target. Existing folders cause no error. */
async function makeFolders(directory: string, folder: string): Promise<void> {
  let path = directory
  for (const name of folder.split('/').filter(Boolean)) {
    path = joinPath(path, name)
    try {
      await api(fsFileRoutes.mkdir, { body: { path } })
    } catch (error) {
      if (!hasCode(error, 'fs.exists')) throw error
    }
  }
}

/** Target paths of uploads in this tab that have not ended. */
const pathsUnderWay = () =>
  uploads
    .getAll()
    .filter(({ state, batch }) => batch.kind === 'mount' && ['idle', 'uploading', 'paused'].includes(state))
    .map((entry) => joinPath(directoryOf(entry), entry.name))

interface Settling {
  readonly directory: string
  readonly conflict: NameConflict | undefined
}

/** Assigns a target path to every file, and leaves out files to skip. @returns `null` to upload nothing */
async function settleNames(
  files: readonly PlacedFile[],
  { directory, conflict }: Settling,
): Promise<PlacedFile[] | null> {
  const wanted = files.map(pathOf)
  const found = conflict === 'overwrite' ? new Set<string>() : await findTaken(files)
  const taken = new Set(wanted.filter((path) => found.has(path)))
  const ask = () => askAboutNames({ directory, taken: [...taken], fileCount: files.length })
  const choice = conflict ?? (taken.size === 0 ? 'rename' : await ask())
  if (choice === null) return null
  if (choice === 'overwrite') taken.clear()
  // A new file is always renamed if another new file or a running upload has the same name.
  const promised = new Set(pathsUnderWay())
  const settled: PlacedFile[] = []
  for (const file of files) {
    const path = pathOf(file)
    if (taken.has(path) && choice === 'skip') continue
    const isFree = !taken.has(path) && !promised.has(path)
    const name = isFree ? file.name : await freeName(file, new Set([...promised, ...found, ...wanted]))
    promised.add(joinPath(file.directory, name))
    settled.push({ ...file, name })
  }
  return settled
}

const mayPass = ({ canContinue, error }: UploadEntry) => canContinue && isPassing(error)

const factsOf = ({ name, size, lastModified }: FileFacts): FileFacts => ({ name, size, lastModified })

interface Fresh extends Placed {
  readonly folder?: string
  readonly handle?: FileSystemFileHandle
  readonly file: FileFacts
  /** `null` if the user has to choose the file again. */
  readonly bytes: Blob | null
}

function newUpload(batch: UploadBatch, fresh: Fresh, choice: MethodChoice): NewUpload {
  const { file, bytes, folder = '', directory, name, handle } = fresh
  const { size: sizeBytes } = file
  const method = chooseMethod({ preferred: choice, sizeBytes, takesParts: true })
  const upload = new Upload<Blob, UploadResult>({
    transport: mountTransport(method, { directory, name, sizeBytes }),
    clock: systemClock,
    lanes: uploadLanes,
    source: bytes && blobSource(bytes),
    ...(!bytes && { saved: { id: null, sizeBytes, sentBytes: 0 } }),
  })
  const canContinue = method === 'multipart'
  const kept = handle && { handle }
  const letGo = canContinue && persistUpload(upload, { directory, name, ...savedFacts(file), ...kept })
  return {
    batch,
    name,
    folder,
    file: factsOf(file),
    upload,
    canContinue,
    isPassing: mayPass,
    ...kept,
    ...(letGo && { letGo }),
  }
}

const savedFacts = ({ name, size, lastModified }: FileFacts) => ({
  fileName: name,
  sizeBytes: size,
  lastModifiedMs: lastModified,
})

async function run({ directory, picked, emptyFolders = [], conflict, method }: MountUploads): Promise<void> {
  const target = plainFolder(directory)
  const placed = picked.map((one) => ({
    ...one,
    directory: folderBelow(target, one.folder),
    name: one.file.name,
  }))
  await settleBeforeWrites()
  const settled = await settleNames(placed, { directory: target, conflict })
  if (settled === null) return
  for (const folder of emptyFolders) await makeFolders(target, folder)
  if (emptyFolders.length > 0) noteFolderChanged(target)
  const batch = newBatch(target)
  const choice = method ?? getMethodChoice()
  uploads.add(settled.map((placed) => newUpload(batch, { ...placed, bytes: placed.file }, choice)))
}

/** Uploads that could not start because the session had expired. They start after the next login. */
let postponed: readonly MountUploads[] = []

const ENDED_SESSION = ['client.session_expired', 'client.key_invalid', 'client.unauthorized']

/**
 * Uploads files and their folders into a folder of a mount. Asks how to handle existing names. The tray shows the
 * progress.
 */
export function addMountUploads(wanted: MountUploads): void {
  run(wanted).catch((error: unknown) => {
    const isEnded = hasCode(error, ...ENDED_SESSION) && currentOwner() === NOBODY
    if (!isEnded) {
      noticeFailure(error)
      return
    }
    postponed = [...postponed, wanted]
    noticeLeft(i18n.t('tasks.notice.waiting', { count: wanted.picked.length }))
  })
}

holdForOwner({
  onBack() {
    const due = postponed
    postponed = []
    due.forEach(addMountUploads)
  },
  onGone() {
    postponed = []
  },
})

uploads.onState((entry) => {
  if (entry.state !== 'completed' || entry.batch.kind !== 'mount') return
  noteFolderChanged(directoryOf(entry))
  // The upload may have created parent folders too.
  noteFolderChanged(entry.batch.directory)
})

function restored(batch: UploadBatch, record: SavedRecord): NewUpload {
  const { directory, name, sizeBytes, fileName, lastModifiedMs, handle } = record
  const upload = new Upload<Blob, UploadResult>({
    transport: mountTransport('multipart', { directory, name, sizeBytes }),
    clock: systemClock,
    lanes: uploadLanes,
    source: null,
    saved: record,
  })
  const file = { name: fileName, size: sizeBytes, lastModified: lastModifiedMs }
  const kept = handle && { handle }
  const facts = { directory, name, ...savedFacts(file), ...kept }
  const letGo = persistUpload(upload, facts, { isRestored: true })
  return { batch, name, file, upload, canContinue: true, isPassing: mayPass, letGo, ...kept }
}

/** Adds uploads that a reload or crash interrupted. They wait until the user chooses their files again. */
export function restoreMountUploads(saved: readonly SavedRecord[], unsent: readonly UnsentUpload[]): void {
  for (const [directory, list] of Map.groupBy(unsent, (one) => one.directory)) {
    const batch = newBatch(directory)
    uploads.add(list.map((one) => newUpload(batch, { ...one, bytes: null }, getMethodChoice())))
  }
  for (const [directory, records] of Map.groupBy(saved, (record) => record.directory)) {
    const batch = newBatch(directory)
    uploads.add(records.map((record) => restored(batch, record)))
  }
}
