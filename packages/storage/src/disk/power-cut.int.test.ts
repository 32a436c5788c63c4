import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createDiskDriver } from './driver.ts'
import { fakeLinks } from './testing/fake-links.ts'

const run = promisify(execFile)
const WRITER = fileURLToPath(new URL('testing/small-writer.ts', import.meta.url))
/**
 * Stops an ext4 file system as a power cut does: nothing more is written, not even its journal. Source:
 * `EXT4_IOC_SHUTDOWN` and `EXT4_GOING_FLAGS_NOLOGFLUSH` of Linux, include/uapi/linux/ext4.h, read 2026-11-25.
 */
const CUT = 'open my $f, "<", shift or die $!; my $how = pack("I", 2); ioctl($f, 0x8004587d, $how) or die $!'

/** Creates an ext4 file system in a file. */
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
  test.each([60, 300, 700])('after %i lines loses nothing acknowledged', async (linesLeast) => {
    await using disk = await openVolume()
    const writer = spawn(process.execPath, [WRITER, disk.root])
    let said = ''
    writer.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
    const gone = once(writer, 'close')
    while (said.split('\n').length <= linesLeast) await once(writer.stdout, 'data')
    await disk.cutPower()
    writer.kill('SIGKILL')
    await gone
    // The last line can be incomplete, so it is ignored.
    const lines = said.split('\n').slice(0, -1)
    await disk.startAgain()
    await createDiskDriver({ root: disk.root, links: fakeLinks })

    const last = new Map<string, Line>()
    for (const line of lines) {
      const told = JSON.parse(line) as Line
      last.set(told.folder, told)
    }
    for (const [folder, { before, begun, done }] of last) {
      const now = await contentsOf(join(disk.root, folder))
      // A change that was started may have completed without a report.
      if (done === undefined) expect([before, begun]).toContainEqual(now)
      else expect(now).toEqual(done)
    }
  })
})
