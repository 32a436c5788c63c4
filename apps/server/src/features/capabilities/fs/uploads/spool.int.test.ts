import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../../../../testing/app.ts'

describeOneDatabase('postgres', 'spooled files', ({ startApp }) => {
  test('files of killed processes are deleted after a day, and files in use stay', async () => {
    await using t = await startApp()
    const folder = join(t.dataDir, 'spool')
    await mkdir(folder, { recursive: true })
    for (const name of ['abandoned', 'in-use']) await writeFile(join(folder, name), 'bytes')
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    await utimes(join(folder, 'abandoned'), yesterday, yesterday)
    await t.ctx.jobs.drain()
    expect(await readdir(folder)).toEqual(['in-use'])
  })

  test('only the owner has access to the folder, regardless of the permissions of its parent', async () => {
    await using t = await startApp()
    const folder = join(t.dataDir, 'spool')
    await rm(folder, { recursive: true, force: true })
    await t.ctx.jobs.drain()
    expect(((await stat(folder)).mode & 0o777).toString(8)).toBe('700')
  })
})
