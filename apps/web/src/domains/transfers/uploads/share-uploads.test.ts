// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { i18n } from '../../../i18n/i18n.ts'
import { endSession, startSession } from '../../session/session.ts'
import { reopenFile } from './continue-upload.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { SavedRecord } from './saved-uploads.ts'
import { addLostPicks, addPicks, getPicks, removePicks } from './share-picks.ts'
import type { UploadOptions } from './share-transports.ts'
import { addShares, canStartAgain, restoreShares, startSharesAgain, whenSettled } from './share-uploads.ts'
import { STORAGE, stubShareServer } from './testing/fake-share-server.ts'
import { uploadErrorText } from './upload-error-text.ts'
import { uploads } from './uploads.ts'

const MIB = 1024 * 1024

const options = (fields: Partial<UploadOptions> = {}): UploadOptions => ({
  configId: `storage-${Math.random()}`,
  folder: '',
  remark: '',
  slug: '',
  password: '',
  expiresInHours: 0,
  maxViews: 0,
  opening: 'direct',
  pin: '',
  ...fields,
})

const fileOf = (name: string, bytes: string | Uint8Array<ArrayBuffer> = 'hello') =>
  new File([bytes], name, { lastModified: 1 })
const largeFile = (name: string) => fileOf(name, new Uint8Array(16 * MIB))

/** Returns a file that was changed on the disk after it was chosen, so that reading it fails. */
function unreadable(sizeBytes: number): Blob {
  const blob = new Blob([new Uint8Array(sizeBytes)])
  blob.slice = () => unreadable(1)
  blob.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError'))
  return blob
}

const list = (...files: File[]) =>
  files.map((file, index) => ({ file, handle: null, number: files.length === 1 ? null : index + 1 }))
const keysOf = (entries: readonly { key: string }[]) => entries.map(({ key }) => key)

let server: ReturnType<typeof stubShareServer>
const pathsOf = (method: string) =>
  server.calls.filter((call) => call.method === method).map(({ url }) => url.replace(/\?.*/, ''))

/** Advances the timers until the promise settles. */
async function passed<T>(done: Promise<T>): Promise<T> {
  const end = { isReached: false }
  const reach = () => {
    end.isReached = true
  }
  done.then(reach, reach)
  for (let turns = 0; !end.isReached && turns < 500; turns += 1) await vi.advanceTimersByTimeAsync(100)
  return done
}

beforeEach(() => {
  vi.useFakeTimers()
  server = stubShareServer()
  startSession({ kind: 'admin', token: 'one' })
})
afterEach(async () => {
  endSession('logout')
  await vi.advanceTimersByTimeAsync(1000)
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a small file is sent in one request, a large one in parts, both directly to the storage', async () => {
  const entries = addShares(
    list(fileOf('a.txt'), largeFile('b.bin')),
    options({ slug: 'trip', password: 'secret' }),
  )
  expect(await passed(whenSettled(keysOf(entries)))).toBe(2)
  expect(uploads.getAll().map(({ result }) => result?.slug)).toEqual(['trip-1', 'trip-2'])
  const puts = pathsOf('PUT')
  expect(puts).toHaveLength(1 + 4)
  expect(puts.every((url) => url.startsWith(STORAGE))).toBe(true)
  expect(server.calls.every(({ url }) => !url.includes('secret'))).toBe(true)
})

test('if the browser cannot reach the storage, files of every size are sent through the server', async () => {
  server.isReachable = false
  const through = options()
  const first = addShares(list(fileOf('empty', '')), through)
  expect(await passed(whenSettled(keysOf(first)))).toBe(1)
  // The upload to the storage is tried twice. Then the reservation on the server is deleted.
  expect(pathsOf('PUT')).toEqual([`${STORAGE}/1-empty`, `${STORAGE}/1-empty`, '/api/s3/multipart/part'])
  expect(pathsOf('DELETE')).toEqual(['/api/admin/files/batch-delete'])
  server.calls.length = 0
  const more = addShares(list(fileOf('six.bin', new Uint8Array(6 * MIB)), largeFile('large.bin')), through)
  expect(await passed(whenSettled(keysOf(more)))).toBe(2)
  expect(pathsOf('PUT')).toEqual(Array.from({ length: 2 + 4 }, () => '/api/s3/multipart/part'))
})

test('a file that was changed on the disk fails at once, and the storage still counts as reachable', async () => {
  server.isReachable = false
  const changed = fileOf('changed.bin', new Uint8Array(16 * MIB))
  const whole = fileOf('changed.txt')
  for (const file of [changed, whole]) vi.spyOn(file, 'slice').mockImplementation(() => unreadable(file.size))
  const one = options()
  const entries = addShares(list(changed, whole), one)
  expect(await passed(whenSettled(keysOf(entries)))).toBe(0)
  for (const { key } of entries) {
    const entry = uploads.get(key)
    expect(entry).toMatchObject({
      state: 'failed',
      retryAtMs: null,
      error: { code: 'upload.source_unreadable' },
    })
    expect(uploadErrorText(entry?.error)).toBe(i18n.t('tasks.errors.source_unreadable'))
  }
  expect(pathsOf('PUT').filter((url) => url.endsWith('changed.txt'))).toHaveLength(1)
  server.isReachable = true
  server.calls.length = 0
  expect(await passed(whenSettled(keysOf(addShares(list(fileOf('b')), one))))).toBe(1)
  expect(pathsOf('PUT')).toEqual([expect.stringContaining(STORAGE)])
})

test('parts wait for a storage that the browser has reached before', async () => {
  const one = options()
  expect(await passed(whenSettled(keysOf(addShares(list(fileOf('a')), one))))).toBe(1)
  server.isReachable = false
  const [entry] = addShares(list(largeFile('b.bin')), one)
  await vi.advanceTimersByTimeAsync(7000)
  expect(uploads.get(entry?.key ?? '')).toMatchObject({ state: 'failed', canContinue: true })
  server.isReachable = true
  expect(await passed(whenSettled([entry?.key ?? '']))).toBe(1)
  expect(pathsOf('PUT')).not.toContain('/api/s3/multipart/part')
})

test('a refused upload starts again with other options, at its place in the list', async () => {
  server.refuse = ({ body }) => (body['slug'] === 'taken' ? { status: 409, code: 'file.slug_taken' } : null)
  const [refused] = addShares(list(fileOf('a')), options({ slug: 'taken' }))
  addShares(list(fileOf('b')), options())
  expect(await passed(whenSettled(uploads.getAll().map(({ key }) => key)))).toBe(1)
  const [failed] = uploads.getAll()
  if (!failed) throw new Error('It is missing.')
  expect(failed).toMatchObject({ key: refused?.key, state: 'failed' })
  expect(canStartAgain(failed)).toBe(true)
  const again = startSharesAgain([failed], options({ slug: 'free' }))
  expect(await passed(whenSettled(keysOf(again)))).toBe(1)
  expect(uploads.getAll().map(({ name, result }) => [name, result?.slug])).toEqual([
    ['a', 'free'],
    ['b', 'random'],
  ])
})

test('a file that is retried directly after its cancellation waits until its suffix is free', async () => {
  server.isHeld = true
  const mine = options({ slug: 'mine' })
  const [entry] = addShares(list(fileOf('a')), mine)
  await vi.advanceTimersByTimeAsync(0)
  await vi.waitFor(() => expect(pathsOf('PUT')).toHaveLength(1))
  const released = Promise.withResolvers<void>()
  server.wait = ({ url }) => (url.includes('batch-delete') ? released.promise : undefined)
  uploads.cancel([entry?.key ?? ''])
  server.isHeld = false
  const again = startSharesAgain(uploads.getAll(), mine)
  await vi.advanceTimersByTimeAsync(1000)
  expect(pathsOf('POST').filter((url) => url.includes('presign'))).toHaveLength(1)
  released.resolve()
  expect(await passed(whenSettled(keysOf(again)))).toBe(1)
})

const record = (fields: Partial<SavedRecord> = {}): SavedRecord => ({
  id: '9-big.bin',
  kind: 'share',
  configId: 'one',
  owner: 'admin',
  directory: '',
  name: 'big.bin',
  fileName: 'big.bin',
  sizeBytes: 16 * MIB,
  lastModifiedMs: 1,
  sentBytes: 5 * MIB,
  savedAtMs: Date.now(),
  ...fields,
})

test('after a reload the same file, chosen again, sends only what is missing', async () => {
  server.known.set('9-big.bin', 16 * MIB)
  server.arrived.set('9-big.bin', new Set([1, 3]))
  restoreShares([record()])
  const [entry] = uploads.getAll()
  expect(entry).toMatchObject({ state: 'paused', hasSource: false, name: 'big.bin' })
  addPicks([{ file: fileOf('other.txt'), folder: '' }])
  expect(getPicks().map(({ file }) => file.name)).toEqual(['other.txt'])
  addPicks([{ file: largeFile('big.bin'), folder: '' }])
  expect(getPicks()).toHaveLength(1)
  expect(await passed(whenSettled([entry?.key ?? '']))).toBe(1)
  expect(pathsOf('PUT')).toEqual([`${STORAGE}/9-big.bin/2`, `${STORAGE}/9-big.bin/4`])
  removePicks(getPicks().map(({ id }) => id))
})

test('a file with other bytes, but the same name, size and time, is not joined with the parts of the first', async () => {
  const bytes = new Uint8Array(16 * MIB)
  const fingerprint = (await fingerprintOf(new Blob([bytes]))) ?? ''
  server.known.set('9-big.bin', 16 * MIB)
  server.arrived.set('9-big.bin', new Set([1, 3]))
  restoreShares([record({ fingerprint })])
  const [entry] = uploads.getAll()
  const now = () => uploads.get(entry?.key ?? '')
  addPicks([{ file: fileOf('big.bin', bytes.with(16 * MIB - 1, 7)), folder: '' }])
  await vi.waitFor(() =>
    expect(now()).toMatchObject({
      state: 'paused',
      hasSource: false,
      error: { code: 'upload.source_changed' },
    }),
  )
  expect(pathsOf('PUT')).toEqual([])
  addPicks([{ file: largeFile('big.bin'), folder: '' }])
  await vi.waitFor(() => expect(now()?.state).toBe('completed'))
  expect(pathsOf('PUT')).toEqual([`${STORAGE}/9-big.bin/2`, `${STORAGE}/9-big.bin/4`])
})

test('an upload that the server has deleted is reported, because its options are lost too', async () => {
  const handle = { getFile: () => Promise.resolve(largeFile('big.bin')) } as FileSystemFileHandle
  restoreShares([record({ handle })])
  const [entry] = uploads.getAll()
  if (!entry) throw new Error('It is missing.')
  expect(await reopenFile(entry)).toBe(true)
  expect(await passed(whenSettled([entry.key]))).toBe(0)
  expect(uploads.get(entry.key)?.error).toMatchObject({ code: 'upload.gone' })
  expect(pathsOf('PUT')).toEqual([])
})

test('a file is listed once; a file that a reload has lost is resumed when it is chosen again', () => {
  const chosen = (...files: File[]) => addPicks(files.map((file) => ({ file, folder: '' })))
  chosen(fileOf('a'), fileOf('a'), fileOf('b'))
  chosen(fileOf('a'))
  chosen(fileOf('a', 'longer text'))
  expect(getPicks().map(({ file }) => file.name)).toEqual(['a', 'b', 'a'])
  addLostPicks([{ file: { name: 'lost', size: 5, lastModified: 1 }, folder: '' }])
  expect(getPicks().at(-1)).toMatchObject({ bytes: null })
  chosen(fileOf('lost'))
  expect(getPicks()).toHaveLength(4)
  expect(getPicks().every(({ bytes }) => bytes !== null)).toBe(true)
  endSession('logout')
  expect(getPicks()).toEqual([])
})

test('a file that was cancelled or has failed can be chosen again; one that is being sent is named', async () => {
  const chosen = (...files: File[]) => addPicks(files.map((file) => ({ file, folder: '' })))
  const namesOfPicks = () => getPicks().map(({ file }) => file.name)
  server.isHeld = true
  const [entry] = addShares(list(fileOf('a')), options())
  await vi.advanceTimersByTimeAsync(0)
  expect(chosen(fileOf('a'), fileOf('b'))).toEqual(['a'])
  expect(namesOfPicks()).toEqual(['b'])
  uploads.cancel([entry?.key ?? ''])
  expect(chosen(fileOf('a'))).toEqual([])
  expect(namesOfPicks()).toEqual(['b', 'a'])

  server.refuse = () => ({ status: 400, code: 'file.slug_invalid' })
  expect(await passed(whenSettled(keysOf(addShares(list(fileOf('c')), options()))))).toBe(0)
  expect(chosen(fileOf('c'))).toEqual([])
  expect(namesOfPicks()).toEqual(['b', 'a', 'c'])
})
