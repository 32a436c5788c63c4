import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test, vi } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { mapBounded } from '../concurrency.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const MIB = 1024 ** 2

/** Counts how often a folder was read. */
const disk = vi.hoisted(() => ({ reads: 0 }))

vi.mock(import('node:fs/promises'), async (importOriginal) => {
  const fs = await importOriginal()
  const readdir = (...args: Parameters<typeof fs.readdir>) => {
    disk.reads += 1
    return fs.readdir(...args)
  }
  return { ...fs, readdir: readdir as typeof fs.readdir }
})

function zeros(sizeBytes: number): Readable {
  const chunk = Buffer.alloc(65_536)
  let leftBytes = sizeBytes
  return new Readable({
    read() {
      this.push(leftBytes > 0 ? chunk.subarray(0, Math.min(leftBytes, chunk.length)) : null)
      leftBytes -= chunk.length
    },
  })
}

describe('size [disk]', () => {
  test('memory stays flat: 512 MiB written, copied and read take no more than 64 MiB', async () => {
    await using temporary = await temporaryDisk()
    const { driver } = temporary
    const roundTrip = async (sizeBytes: number) => {
      let rssMax = 0
      let readBytes = 0
      const look = () => {
        rssMax = Math.max(rssMax, process.memoryUsage.rss())
      }
      const timer = setInterval(look, 10)
      await driver.write(parseStorageKey('a'), zeros(sizeBytes), { sizeBytes })
      await driver.copy(parseStorageKey('a'), parseStorageKey('b'))
      const { body } = await driver.read(parseStorageKey('b'))
      for await (const chunk of body as AsyncIterable<Buffer>) readBytes += chunk.length
      clearInterval(timer)
      look()
      return { rssMax, readBytes }
    }
    const small = await roundTrip(64 * MIB)
    const large = await roundTrip(512 * MIB)
    expect(large.readBytes).toBe(512 * MIB)
    // Buffering in memory would take 448 MiB more. The limit allows some growth, because a busy machine collects
    // garbage late.
    expect((large.rssMax - small.rssMax) / MIB).toBeLessThan(160)
  }, 180_000)

  test('a folder of 50,000 files is listed in pages, later ones from the cache', async () => {
    await using temporary = await temporaryDisk()
    const folder = join(temporary.root, 'folder')
    await mkdir(folder)
    const names = Array.from({ length: 50_000 }, (_, index) => `照片 ${index}.jpg`)
    await mapBounded(names, 16, (name) => writeFile(join(folder, name), ''))
    // Sets an old time, because a folder that changed a moment ago is not cached.
    await utimes(folder, 1, 1)
    disk.reads = 0
    let pages = 0
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const page = await temporary.driver.list({ prefix: 'folder/', delimiter: '/', limit: 1000, cursor })
      pages += 1
      for (const { key } of page.objects) seen.add(key)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen.size).toBe(50_000)
    expect({ pages, reads: disk.reads }).toEqual({ pages: 50, reads: 1 })
  }, 120_000)
})
