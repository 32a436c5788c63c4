import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listen } from '../../../testing/drive.ts'
import {
  clients,
  keyFor,
  rcloneFor,
  run,
  runCadaver,
  temporary,
  tryMount,
} from '../../../testing/drive-clients.ts'
import { addRefusingBucket, nameOfRefusal, REFUSALS } from '../../../testing/refusing-bucket.ts'
import { describeOneStorage } from '../../../testing/storages.ts'

const LONG_MS = 300_000
const refusals = REFUSALS.map((refusal) => [nameOfRefusal(refusal), refusal] as const).filter(([name]) =>
  ['403', '500', '503'].includes(name),
)
const mountPath = '/nd'
/** Disables retries, because a single attempt shows the failure. */
const ONCE = ['--retries', '1', '--low-level-retries', '1'] as const

describeOneStorage('s3', 'clients of a bucket that removes nothing', ({ startApp }) => {
  test.skipIf(!clients.rclone).each(refusals)(
    'rclone fails to delete, move and sync, and its report matches the storage (%s)',
    { timeout: LONG_MS },
    async (_name, refusal) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath, refusal })
      await using folder = await temporary()
      const rclone = await rcloneFor(t, { folder: folder.path, mountPath })
      const local = join(folder.path, 'local')
      await mkdir(local)
      await bucket.put('x.txt', 'x')
      await bucket.put('in/a.txt', 'a')
      const before = ['in/a.txt', 'x.txt']
      await expect(rclone(...ONCE, 'deletefile', 'drive:x.txt')).rejects.toMatchObject({ code: 1 })
      await expect(rclone(...ONCE, 'moveto', 'drive:x.txt', 'drive:y.txt')).rejects.toMatchObject({ code: 1 })
      await expect(rclone(...ONCE, 'purge', 'drive:in')).rejects.toMatchObject({ code: 1 })
      await expect(rclone(...ONCE, 'sync', local, 'drive:in')).rejects.toMatchObject({ code: 1 })
      await expect(rclone(...ONCE, 'move', 'drive:in', local)).rejects.toMatchObject({ code: 1 })
      expect(await bucket.keys()).toEqual(before)
      bucket.refuse(null)
      await rclone('moveto', 'drive:x.txt', 'drive:y.txt')
      await rclone('deletefile', 'drive:y.txt')
      await rclone('move', 'drive:in', local)
      expect(await readdir(local)).toEqual(['a.txt'])
      expect((await bucket.keys()).filter((key) => !key.endsWith('/'))).toEqual([])
    },
  )

  test.skipIf(!clients.cadaver).each(refusals)(
    'cadaver reports the failure (%s)',
    { timeout: LONG_MS },
    async (_name, refusal) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath, refusal })
      await using folder = await temporary()
      await bucket.put('x.txt', 'x')
      const commands = ['delete x.txt', 'move x.txt y.txt']
      const output = await runCadaver(t, { folder: folder.path, mountPath, commands })
      expect(output).not.toMatch(/succeeded/)
      expect(output.match(/failed/g)).toHaveLength(commands.length)
      expect(await bucket.keys()).toEqual(['x.txt'])
    },
  )

  test.skipIf(!clients.davfs2).for(refusals)(
    'a mounted drive reports the failure (%s)',
    { timeout: LONG_MS },
    async ([, refusal], { skip }) => {
      await using t = await startApp()
      await using bucket = await addRefusingBucket(t, { mountPath, refusal })
      await using folder = await temporary()
      await bucket.put('x.txt', 'x')
      const mounted = await tryMount(`${await listen(t)}${mountPath}/`, folder.path, await keyFor(t))
      if (mounted.at === undefined) return skip(`This machine mounts no davfs2: ${mounted.why}`)
      try {
        await expect(rm(join(mounted.at, 'x.txt'))).rejects.toThrow()
        await expect(run('mv', [join(mounted.at, 'x.txt'), join(mounted.at, 'y.txt')])).rejects.toThrow()
        expect(await readFile(join(mounted.at, 'x.txt'), 'utf8')).toBe('x')
      } finally {
        await run('umount', [mounted.at])
      }
      expect(await bucket.keys()).toEqual(['x.txt'])
    },
  )
})
