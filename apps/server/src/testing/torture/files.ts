import { RefusedError } from './client.ts'
import { add, certain, Change, type Ledger } from './ledger.ts'
import { bytesOf, sha256 } from './random.ts'
import type { OwnFolder, Worker } from './worker.ts'

/** Operations on files in the mount, through the API and WebDAV. */

const FOLDERS = 4
const FILES = 10
const PART_BYTES = 5 * 1024 * 1024

function newBytes(w: Worker, sizeBytes = w.newSize()) {
  const bytes = bytesOf(w.newName('bytes'), sizeBytes)
  const hash = sha256(bytes)
  w.ledger.sizes.set(hash, bytes.length)
  return { bytes, hash }
}

/** Creates a folder, either through the API or through WebDAV. */
async function makeFolder(w: Worker): Promise<OwnFolder> {
  const path = `${w.storage.mountPath}/${w.newName('d')}`
  if (w.random.next() < 0.5) await w.client.dav('MKCOL', path)
  else await w.client.call('POST', '/fs/mkdir', { json: { path } })
  const folder = { path, names: new Set<string>() }
  w.ledger.folders.add(path)
  w.own.folders.push(folder)
  return folder
}

async function folderOf(w: Worker): Promise<OwnFolder> {
  const isFull = w.own.folders.length >= FOLDERS
  const folder = (isFull ? w.random.pick(w.own.folders) : undefined) ?? (await makeFolder(w))
  w.own.current = folder
  return folder
}

/** Returns a file name to write to, either new or existing. */
function targetIn(w: Worker, folder: OwnFolder): string {
  const known = [...folder.names].filter(
    (name) => certain(w.ledger.files, `${folder.path}/${name}`) !== undefined,
  )
  const isNew = known.length < FILES && (known.length === 0 || w.random.next() < 0.6)
  const name = isNew ? w.newName('n') : (w.random.pick(known) ?? w.newName('n'))
  folder.names.add(name)
  return `${folder.path}/${name}`
}

/** Picks a file that certainly exists. */
function sourceIn(w: Worker, folder: OwnFolder): { path: string; name: string; hash: string } | null {
  const known = [...folder.names].flatMap((name) => {
    const path = `${folder.path}/${name}`
    const hash = certain(w.ledger.files, path)
    return typeof hash === 'string' ? [{ path, name, hash }] : []
  })
  return w.random.pick(known) ?? null
}

type Write = (w: Worker, path: string, bytes: Buffer<ArrayBuffer>) => Promise<void>

async function writeWith(w: Worker, write: Write, sizeBytes?: number): Promise<void> {
  const path = targetIn(w, await folderOf(w))
  const { bytes, hash } = newBytes(w, sizeBytes)
  const change = new Change().expect(w.ledger.files, path, hash)
  await write(w, path, bytes)
  change.acknowledge()
}

const byRawPut: Write = async (w, path, body) => {
  await w.client.call('PUT', `/fs/upload?path=${path}`, { body })
}

/** Sends a body without its size, so that a bucket stores it in parts. */
const byStream: Write = async (w, path, bytes) => {
  const body = new Blob([bytes]).stream()
  if (w.random.next() < 0.5) await w.client.dav('PUT', path, { body })
  else await w.client.call('PUT', `/fs/upload?path=${path}`, { body })
}

const byDrive: Write = async (w, path, body) => {
  await w.client.dav('PUT', path, { body })
}

const folderAndName = (path: string) => {
  const cut = path.lastIndexOf('/')
  return { path: path.slice(0, cut), fileName: path.slice(cut + 1) }
}

const bySignedPut: Write = async (w, path, body) => {
  const { data } = await w.client.call('POST', '/fs/presign', {
    json: { ...folderAndName(path), fileSize: body.length },
  })
  await w.client.at('PUT', data.presignedUrl, { body, headers: { 'content-type': data.contentType } })
  await w.client.call('POST', '/fs/presign/commit', { json: { fileId: data.fileId } })
}

const inParts: Write = async (w, path, bytes) => {
  const { data } = await w.client.call('POST', '/fs/multipart/init', {
    json: { ...folderAndName(path), fileSize: bytes.length, partSize: PART_BYTES },
  })
  const { uploadId, partCount, partSize } = data
  for (let number = 1; number <= partCount; number += 1) {
    const body = bytes.subarray((number - 1) * partSize, number * partSize)
    await w.client.call('PUT', `/fs/multipart/part?uploadId=${uploadId}&partNumber=${number}`, { body })
  }
  await w.client.call('POST', '/fs/multipart/complete', { json: { uploadId } })
}

async function saveText(w: Worker): Promise<void> {
  const path = targetIn(w, await folderOf(w))
  const content = newBytes(w, w.random.between(1, 3000)).bytes.toString('base64')
  const hash = sha256(Buffer.from(content))
  w.ledger.sizes.set(hash, content.length)
  const change = new Change().expect(w.ledger.files, path, hash)
  await w.client.call('POST', '/fs/update', { json: { path, content } })
  change.acknowledge()
}

type Relocate = (w: Worker, from: string, to: string) => Promise<void>

/** Renames a file, or copies it to a new name. */
async function relocate(w: Worker, { isCopy, by }: { isCopy: boolean; by: Relocate }): Promise<void> {
  const folder = await folderOf(w)
  const source = sourceIn(w, folder)
  if (source === null) return writeWith(w, byRawPut)
  const name = w.newName('n')
  const to = `${folder.path}/${name}`
  folder.names.add(name)
  const change = new Change().expect(w.ledger.files, to, source.hash)
  const move: Ledger['moves'][number] | null = isCopy ? null : { hash: source.hash, paths: [source.path, to] }
  if (move !== null) {
    change.expect(w.ledger.files, source.path, null)
    w.ledger.moves.push(move)
  }
  await by(w, source.path, to)
  change.acknowledge()
  if (move === null) return
  folder.names.delete(source.name)
  w.ledger.moves = w.ledger.moves.filter((one) => one !== move)
}

const headersTo = (to: string) => ({ destination: `/dav${to}`, overwrite: 'F' })
const davMove: Relocate = async (w, from, to) => {
  await w.client.dav('MOVE', from, { headers: headersTo(to) })
}
const davCopy: Relocate = async (w, from, to) => {
  await w.client.dav('COPY', from, { headers: headersTo(to) })
}
const rename: Relocate = async (w, oldPath, newPath) => {
  await w.client.call('POST', '/fs/rename', { json: { oldPath, newPath } })
}
const batch =
  (route: 'batch-copy' | 'batch-move'): Relocate =>
  async (w, sourcePath, targetPath) => {
    await finish(
      w,
      await w.client.call('POST', `/fs/${route}`, { json: { items: [{ sourcePath, targetPath }] } }),
    )
  }

interface BatchAnswer {
  readonly data: { readonly task?: { readonly id: string }; readonly failed?: number | readonly unknown[] }
}

/**
 * Waits for the task in a response, if the work continues in a task.
 * @throws {RefusedError} if an item failed, or the task did not complete
 */
async function finish(w: Worker, { data }: BatchAnswer): Promise<void> {
  const failed = Array.isArray(data.failed) ? data.failed.length : data.failed
  if (failed) {
    add(w.ledger.refusals, `a batch: ${JSON.stringify(data).slice(0, 300)}`)
    throw new RefusedError('Some of a batch failed.')
  }
  const id = data.task?.id
  for (let state = id === undefined ? 'completed' : 'running'; state !== 'completed';) {
    if (state !== 'pending' && state !== 'running') {
      add(w.ledger.refusals, `a task ended as ${state}`)
      throw new RefusedError(`A task ended as ${state}.`)
    }
    state = (await w.client.call('GET', `/tasks/${id}`)).data.state
  }
}

/** Moves or copies a folder with all its files. */
async function relocateFolder(w: Worker, { isCopy, by }: { isCopy: boolean; by: Relocate }): Promise<void> {
  const folder = await folderOf(w)
  const sources = [...folder.names].map(
    (name) => [name, certain(w.ledger.files, `${folder.path}/${name}`)] as const,
  )
  if (sources.some(([, hash]) => hash === undefined)) return
  const path = `${w.storage.mountPath}/${w.newName('d')}`
  const change = new Change()
  const moved: Ledger['moves'] = []
  const target: OwnFolder = { path, names: new Set() }
  for (const [name, hash] of sources) {
    if (typeof hash !== 'string') continue
    target.names.add(name)
    change.expect(w.ledger.files, `${path}/${name}`, hash)
    if (isCopy) continue
    change.expect(w.ledger.files, `${folder.path}/${name}`, null)
    moved.push({ hash, paths: [`${folder.path}/${name}`, `${path}/${name}`] })
  }
  w.ledger.moves.push(...moved)
  if (!isCopy) {
    w.own.folders = w.own.folders.filter((one) => one !== folder)
    w.ledger.folders.delete(folder.path)
  }
  await by(w, `${folder.path}/`, `${path}/`)
  change.acknowledge()
  w.ledger.moves = w.ledger.moves.filter((move) => !moved.includes(move))
  w.ledger.folders.add(path)
  w.own.folders.push(target)
  if (isCopy) forget(w, w.random.pick(w.own.folders) ?? folder)
}

/** Stops using a folder in further operations. Only the audits check its contents. */
function forget(w: Worker, folder: OwnFolder): void {
  w.own.folders = w.own.folders.filter((one) => one !== folder)
}

/**
 * Stops using the folder of an operation that failed or whose response was lost, because a task may continue the
 * operation. The operation may even affect files that are added later.
 */
export function forgetCurrent(w: Worker): void {
  if (w.own.current) forget(w, w.own.current)
}

async function remove(w: Worker, by: (path: string) => Promise<unknown>): Promise<void> {
  const folder = await folderOf(w)
  const source = sourceIn(w, folder)
  if (source === null) return writeWith(w, byDrive)
  folder.names.delete(source.name)
  const change = new Change().expect(w.ledger.files, source.path, null)
  await by(source.path)
  change.acknowledge()
}

async function removeFolder(w: Worker): Promise<void> {
  const folder = await folderOf(w)
  forget(w, folder)
  const change = new Change()
  for (const name of folder.names) change.expect(w.ledger.files, `${folder.path}/${name}`, null)
  w.ledger.folders.delete(folder.path)
  const paths = [`${folder.path}/`]
  await finish(w, await w.client.call('DELETE', '/fs/batch-remove', { json: { paths } }))
  change.acknowledge()
}

async function readFile(w: Worker): Promise<void> {
  const source = sourceIn(w, await folderOf(w))
  if (source === null) return writeWith(w, byRawPut)
  const { bytes } = await w.client.call('GET', `/fs/download?path=${source.path}`)
  if (sha256(bytes) !== source.hash) w.ledger.faults.push(`file ${source.path}: read as other bytes`)
}

const many = (w: Worker) => PART_BYTES + w.random.between(1, 5_000_000)

/** Operations with their weights in the random choice. */
export const FILE_OPERATIONS: ReadonlyArray<readonly [string, number, (w: Worker) => Promise<void>]> = [
  ['make folder', 0.5, async (w) => void (await makeFolder(w))],
  ['put file', 3, (w) => writeWith(w, byRawPut)],
  ['put long file of unknown size', 0.4, (w) => writeWith(w, byStream, many(w))],
  ['put file by signed address', 1, (w) => writeWith(w, bySignedPut)],
  ['put file in parts', 0.7, (w) => writeWith(w, inParts)],
  ['put long file in parts', 0.3, (w) => writeWith(w, inParts, many(w))],
  ['save text file', 1, saveText],
  ['drive PUT', 4, (w) => writeWith(w, byDrive)],
  ['drive MOVE', 1.5, (w) => relocate(w, { isCopy: false, by: davMove })],
  ['drive COPY', 1, (w) => relocate(w, { isCopy: true, by: davCopy })],
  ['drive DELETE', 1, (w) => remove(w, (path) => w.client.dav('DELETE', path))],
  ['rename file', 1, (w) => relocate(w, { isCopy: false, by: rename })],
  ['rename folder', 0.7, (w) => relocateFolder(w, { isCopy: false, by: rename })],
  ['move folder', 0.4, (w) => relocateFolder(w, { isCopy: false, by: batch('batch-move') })],
  ['copy folder', 0.4, (w) => relocateFolder(w, { isCopy: true, by: batch('batch-copy') })],
  ['move file by task', 0.7, (w) => relocate(w, { isCopy: false, by: batch('batch-move') })],
  ['copy file by task', 0.7, (w) => relocate(w, { isCopy: true, by: batch('batch-copy') })],
  [
    'remove file',
    0.7,
    (w) => remove(w, (path) => w.client.call('DELETE', '/fs/batch-remove', { json: { paths: [path] } })),
  ],
  ['remove folder', 0.4, removeFolder],
  ['read file', 1, readFile],
]
