import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { mapBounded } from '../concurrency.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const MIB = 1024 ** 2

/** Bytes that cost nothing to make. */
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
  test('memory stays flat: 512 MiB written, copied and read take no more than 64 MiB did', async () => {
    await using disk = await temporaryDisk()
    const { driver } = disk
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
    // Gathered, it would be 448 MiB more. A busy machine collects late.
    expect((large.rssMax - small.rssMax) / MIB).toBeLessThan(160)
  }, 180_000)

  test('a folder of 50,000 files is listed in pages, the later ones from memory', async () => {
    await using disk = await temporaryDisk()
    const folder = join(disk.root, 'folder')
    await mkdir(folder)
    const names = Array.from({ length: 50_000 }, (_, index) => `照片 ${index}.jpg`)
    await mapBounded(names, 16, (name) => writeFile(join(folder, name), ''))
    const pagesMs: number[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    do {
      const startedMs = performance.now()
      const page = await disk.driver.list({ prefix: 'folder/', delimiter: '/', limit: 1000, cursor })
      pagesMs.push(performance.now() - startedMs)
      for (const { key } of page.objects) seen.add(key)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen.size).toBe(50_000)
    expect(pagesMs).toHaveLength(50)
    console.log(`50,000 files: first page ${pagesMs[0]?.toFixed(0)} ms, all ${sum(pagesMs).toFixed(0)} ms`)
    expect(sum(pagesMs)).toBeLessThan(20_000)
  }, 120_000)
})

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
