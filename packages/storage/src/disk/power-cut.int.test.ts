import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createDiskDriver } from './driver.ts'
import { fakeLinks } from './testing/fake-links.ts'

const run = promisify(execFile)
const WRITER = fileURLToPath(new URL('testing/small-writer.ts', import.meta.url))
const OVER_OTHERS = fileURLToPath(new URL('testing/over-others.ts', import.meta.url))
/**
 * Ends an ext4 file system as a power cut does: nothing more is written, its own journal neither.
 * Source: `EXT4_IOC_SHUTDOWN` and `EXT4_GOING_FLAGS_NOLOGFLUSH` of Linux, include/uapi/linux/ext4.h, read 2026-11-25.
 */
const CUT = 'open my $f, "<", shift or die $!; my $how = pack("I", 2); ioctl($f, 0x8004587d, $how) or die $!'

/** An ext4 file system of its own in a file. */
async function openVolume() {
  const base = await mkdtemp(join(tmpdir(), 'dropleaf-volume-'))
  const [image, mount] = [join(base, 'image'), join(base, 'mount')]
  const attach = () => run('mount', ['-o', 'loop', image, mount])
  const detach = () => run('umount', ['--lazy', mount])
  try {
    await mkdir(mount)
    await run('truncate', ['-s', '256M', image])
    await run('mkfs.ext4', ['-q', image])
    await attach()
  } catch (error) {
    await rm(base, { recursive: true, force: true })
    throw error
  }
  return {
    root: join(mount, 'root'),
    cutPower: () => run('perl', ['-e', CUT, mount]),
    async startAgain() {
      await detach()
      await attach()
    },
    async [Symbol.asyncDispose]() {
      await detach()
      await rm(base, { recursive: true, force: true })
    },
  }
}

const volume = await openVolume().then(
  async (one) => {
    await one[Symbol.asyncDispose]()
    return null
  },
  (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)),
)

interface Line {
  readonly folder: string
  readonly before?: Record<string, string>
  readonly begun?: Record<string, string>
  readonly done?: Record<string, string>
}

async function contentsOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const contents = names.map(async (name) => {
    const text = await readFile(join(folder, name), 'utf8')
    return [name, text.length === 10_240 ? text.replace(/\.+$/, '') : `${text.length} bytes`] as const
  })
  return Object.fromEntries(await Promise.all(contents))
}

if (volume !== null)
  console.log(`Skipped: a power cut on a file system of its own. It cannot be made here: ${volume}`)

describe.skipIf(volume !== null)('a power cut [disk]', () => {
  test.each([250, 700, 1300])('after %i ms takes nothing that was acknowledged', async (aliveMs) => {
    await using disk = await openVolume()
    const writer = spawn(process.execPath, [WRITER, disk.root])
    let said = ''
    writer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await once(writer.stdout, 'data')
    const gone = once(writer, 'close')
    await sleep(aliveMs)
    // Of a busy machine, later: a cut that takes nothing shows nothing.
    const linesNow = () => said.split('\n').length - 1
    for (let waits = 0; linesNow() <= 50 && waits < 200; waits += 1) await sleep(50)
    await disk.cutPower()
    writer.kill('SIGKILL')
    await gone
    // Nothing is done after the cut; what was done before it has been told.
    const lines = said.split('\n').slice(0, -1)
    await disk.startAgain()
    await createDiskDriver({ root: disk.root, links: fakeLinks, keepsJournal: true })

    const last = new Map<string, Line>()
    for (const line of lines) {
      const told = JSON.parse(line) as Line
      last.set(told.folder, told)
    }
    expect(lines.length).toBeGreaterThan(50)
    for (const [folder, { before, begun, done }] of last) {
      const now = await contentsOf(join(disk.root, folder))
      // What was begun may have been done, unheard.
      if (done === undefined) expect([before, begun]).toContainEqual(now)
      else expect(now).toEqual(done)
    }
  })

  test.each(['moved', 'replaced'])('takes no new file for one that others have %s before', async (how) => {
    await using disk = await openVolume()
    const writer = spawn(process.execPath, [OVER_OTHERS, disk.root, how])
    await once(writer.stdout, 'data')
    const gone = once(writer, 'close')
    await disk.cutPower()
    writer.kill('SIGKILL')
    await gone
    await disk.startAgain()
    await createDiskDriver({ root: disk.root, links: fakeLinks, keepsJournal: true })
    expect(await readFile(join(disk.root, 'name'), 'utf8')).toBe('acknowledged')
  })
})
