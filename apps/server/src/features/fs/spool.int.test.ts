import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../../testing/app.ts'

describeOneDatabase('postgres', 'spooled files', ({ startApp }) => {
  test('those of killed processes go after a day, those in use stay', async () => {
    await using t = await startApp()
    const folder = join(t.dataDir, 'spool')
    await mkdir(folder, { recursive: true })
    for (const name of ['abandoned', 'in-use']) await writeFile(join(folder, name), 'bytes')
    const yesterday = new Date(Date.now() - 25 * 3_600_000)
    await utimes(join(folder, 'abandoned'), yesterday, yesterday)
    await t.ctx.jobs.drain()
    expect(await readdir(folder)).toEqual(['in-use'])
  })
})
