import { expect, test } from 'vitest'
import { onDisk } from './disk.ts'

test.each([
  ['ENOSPC', 'file.disk_full'],
  ['EACCES', 'file.not_permitted'],
  ['ENOENT', 'file.no_folder'],
  ['ENAMETOOLONG', 'file.name_too_long'],
  ['EIO', 'file.unwritable'],
])('a disk that says %s is told of by %s', async (code, text) => {
  const failed = Promise.reject(Object.assign(new Error('of the system'), { code }))
  await expect(onDisk('/there/a.part', failed)).rejects.toMatchObject({
    exitCode: 1,
    text,
    params: { file: '/there/a.part', folder: '/there', detail: code },
  })
})
