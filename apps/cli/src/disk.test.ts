import { expect, test } from 'vitest'
import { onDisk } from './disk.ts'

test.each([
  ['ENOSPC', 'file.disk_full'],
  ['EACCES', 'file.not_permitted'],
  ['ENOENT', 'file.no_folder'],
  ['ENAMETOOLONG', 'file.name_too_long'],
  ['EIO', 'file.unwritable'],
])('the disk error %s is reported as %s', async (code, text) => {
  const failed = Promise.reject(Object.assign(new Error('of the system'), { code }))
  await expect(onDisk('/there/a.part', failed)).rejects.toMatchObject({
    exitCode: 1,
    text,
    params: { file: '/there/a.part', folder: '/there', detail: code },
  })
})
