import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createThumbnailCache } from './thumbnail-cache.ts'

const nameOf = (n: number) => n.toString(16).padStart(4, '0')

test('keeps the most recently used files within its limit, also from earlier runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thumbnails-'))
  try {
    const cache = createThumbnailCache(folder, 10_000)
    const put = (n: number) =>
      cache.put(nameOf(n), async (target) => {
        await writeFile(target, Buffer.alloc(1000))
        return 'made'
      })
    for (let n = 0; n < 20; n += 1) {
      await put(n)
      const found = await cache.find(nameOf(n))
      if (found === null || found === 'none') throw new Error('It was not kept.')
      await utimes(found.path, n, n)
    }
    await cache.put('none', async () => 'none')
    expect([await cache.find('none'), await cache.find('unknown')]).toEqual(['none', null])
    // Using a thumbnail again renews its date of use.
    await cache.find(nameOf(3))
    const later = createThumbnailCache(folder, 10_000)
    await later.put('last', async () => 'none')
    const kept = (await readdir(folder, { recursive: true })).filter((name) => name.includes('/'))
    const numbers = kept.map((name) => Number.parseInt(name.slice(3), 16)).filter(Number.isInteger)
    expect(numbers.toSorted((a, b) => a - b)).toEqual([3, 13, 14, 15, 16, 17, 18, 19])
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a failed creation leaves no file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thumbnails-'))
  try {
    const cache = createThumbnailCache(folder, 10_000)
    const failing = cache.put('name', async (target) => {
      await writeFile(target, 'half')
      throw new Error('broken off')
    })
    await expect(failing).rejects.toThrow('broken off')
    expect(await cache.find('name')).toBe(null)
    expect(await readdir(join(folder, 'na'))).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
