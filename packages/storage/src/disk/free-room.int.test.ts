import { readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { createDiskDriver } from './driver.ts'
import { createFreeRoom } from './free-room.ts'
import { fakeLinks } from './testing/fake-links.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const FULL = { code: 'storage.full' }

test('free space is granted down to the reserve, mostly without waiting [disk]', async () => {
  const { bavail, bsize } = await statfs(tmpdir())
  const freeBytes = bavail * bsize
  const room = createFreeRoom(tmpdir(), { reserveBytes: Math.floor(freeBytes / 2) })
  await room.take(1000)
  expect(room.take(1000)).toBeUndefined()
  await expect(room.take(freeBytes)).rejects.toMatchObject(FULL)
  expect(room.take(1000)).toBeUndefined()
  expect(createFreeRoom('/nowhere', { reserveBytes: 0 }).take(freeBytes * 2)).toBeUndefined()
})

test('a disk keeps its reserve: small files, large ones and parts are rejected, and leave nothing [disk]', async () => {
  await using disk = await temporaryDisk()
  const key = parseStorageKey('kept.bin')
  await disk.driver.write(key, Buffer.from('kept'))
  const { root } = disk
  const full = await createDiskDriver({ root, links: fakeLinks, reserveBytes: Number.MAX_SAFE_INTEGER })
  await expect(full.write(parseStorageKey('a'), Buffer.from('a'))).rejects.toMatchObject(FULL)
  const large = () => Readable.from([Buffer.alloc(3_000_000)])
  await expect(full.write(parseStorageKey('b'), large())).rejects.toMatchObject(FULL)
  const upload = await full.multipart?.create(parseStorageKey('c'))
  if (!upload) throw new Error('A disk takes parts.')
  await expect(full.multipart?.uploadPart(upload, 1, large())).rejects.toMatchObject(FULL)
  await full.multipart?.abort(upload)
  expect(String(await buffer((await full.read(key)).body))).toBe('kept')
  expect(await disk.leftovers()).toEqual([])
  expect((await full.remove([key])).removed).toBe(1)
  expect(await readdir(root)).toEqual(['.dropleaf-tmp'])
})
