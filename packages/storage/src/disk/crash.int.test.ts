import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const key = parseStorageKey
const body = (content: string) => Readable.from([Buffer.from(content)])
const WRITER = fileURLToPath(new URL('testing/writer.ts', import.meta.url))
const OBJECT_BYTES = 8 * 65_536

describe('interrupted writes [disk]', () => {
  test('a kill at any moment loses nothing acknowledged, shows no partial file, and the sweep removes the rest', async () => {
    await using disk = await temporaryDisk()
    const acknowledged: string[] = []
    for (const [round, writesLeast] of [3, 11, 24, 1, 8].entries()) {
      const writer = spawn(process.execPath, [WRITER, disk.root, `${round}`])
      let said = ''
      writer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const gone = once(writer, 'close')
      while (said.split('\n').length <= writesLeast) await once(writer.stdout, 'data')
      writer.kill('SIGKILL')
      await gone
      acknowledged.push(...said.split('\n').slice(0, -1))
    }

    const { objects } = await disk.driver.list({ prefix: 'round ', limit: 100_000 })
    for (const { sizeBytes } of objects.filter(({ key }) => !key.endsWith('/')))
      expect(sizeBytes).toBe(OBJECT_BYTES)
    const keys = new Set<string>(objects.map(({ key }) => key))
    expect(acknowledged.filter((name) => !keys.has(name))).toEqual([])

    const left = (await disk.leftovers()).length
    expect(await disk.driver.sweepTemporary({ olderThanMs: 0 })).toMatchObject({ files: left })
    expect(await disk.leftovers()).toEqual([])
  })

  test('the sweep removes old files, and uploads by their own age', async () => {
    await using disk = await temporaryDisk()
    const uploads = join(disk.root, '.dropleaf-tmp/uploads')
    const multipart = disk.driver.multipart
    const abandoned = await multipart?.create(key('abandoned'))
    const live = await multipart?.create(key('live'))
    if (!multipart || !abandoned || !live) throw new Error('Local disk has multipart uploads.')
    await multipart.uploadPart(abandoned, 1, body('12345'))
    const part = await multipart.uploadPart(live, 1, body('12345'))
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(join(uploads, abandoned.uploadId), twoDaysAgo, twoDaysAgo)

    expect(await disk.driver.sweepTemporary({ olderThanMs: 7 * 86_400_000 })).toEqual({
      files: 0,
      sizeBytes: 0,
    })
    const swept = await disk.driver.sweepTemporary({ olderThanMs: 0, uploadsOlderThanMs: 86_400_000 })
    expect(swept.files).toBe(2)
    expect(swept.sizeBytes).toBeGreaterThan(5)
    await expect(multipart.listParts(abandoned)).rejects.toMatchObject({ code: 'storage.not_found' })
    await multipart.complete(live, [part])
    expect(await readdir(uploads)).toEqual([])
  })
})
