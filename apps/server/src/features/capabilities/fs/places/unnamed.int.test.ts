import { describe, expect, inject, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../../testing/app.ts'
import { addS3Mount, localDisk, type S3Mount } from '../../../../testing/storages.ts'
import { unpack } from '../../../../testing/zip.ts'

/** Names that a bucket accepts but no path can express. */
const ODD = ['a//b.txt', '../esc.txt', './dot.txt', 'two\nlines.txt', 'back\\slash.txt', '%2e%2e/in.txt']
const NAMED = ['plain.txt', '100%.txt', 'in/side.txt']

async function fillOdd({ bucket }: S3Mount, names = [...ODD, ...NAMED]): Promise<void> {
  for (const name of names)
    await bucket.s3.putObject({ Bucket: bucket.bucket, Key: `odd/${name}`, Body: `text of ${name}` })
}

/** Returns the names of all objects as listed by the bucket. */
async function namesIn({ bucket }: S3Mount): Promise<string[]> {
  const { Contents = [] } = await bucket.s3.listObjectsV2({ Bucket: bucket.bucket, EncodingType: 'url' })
  return Contents.map(({ Key = '' }) => decodeURIComponent(Key.replaceAll('+', ' '))).sort()
}

const inFolder = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`)

const call = (t: TestApp, url: string, body: object) => t.admin.call('POST', `/api/fs/${url}`, { body })

describe.skipIf(inject('s3Gateway') === null)('keys that no path can address', () => {
  describeEachDatabase('in a bucket', ({ startApp }) => {
    const start = () => startApp({ now: new Date().toISOString() })

    test('are not listed; everything that is listed can be opened', async () => {
      await using t = await start()
      await using s3 = await addS3Mount(t, { mountPath: '/s3' })
      await fillOdd(s3)
      const { items } = (await t.admin.call('GET', '/api/fs/list', { query: { path: '/s3/odd/' } })).body.data
      const paths = items.map(({ path }: { path: string }) => path).sort()
      expect(paths).toEqual(['/s3/odd/100%.txt', '/s3/odd/a/', '/s3/odd/in/', '/s3/odd/plain.txt'])
      for (const path of paths)
        for (const url of path.endsWith('/') ? ['/api/fs/list', '/api/fs/get'] : ['/api/fs/get'])
          expect([url, path, (await t.admin.call('GET', url, { query: { path } })).status]).toEqual([
            url,
            path,
            200,
          ])
    })

    test('a rename leaves them unchanged, and reports them', async () => {
      await using t = await start()
      await using s3 = await addS3Mount(t, { mountPath: '/s3' })
      await fillOdd(s3)
      const answer = await call(t, 'rename', { oldPath: '/s3/odd/', newPath: '/s3/even/' })
      expect([answer.status, answer.body.error.code]).toEqual([502, 'fs.partly_done'])
      expect(answer.body.error.details).toEqual(
        expect.arrayContaining(
          ODD.map((name) => ({ path: `/s3/odd/${name}`, message: 'fs.names_unusable' })),
        ),
      )
      expect(answer.body.error.details).toHaveLength(ODD.length)
      expect((await namesIn(s3)).filter((name) => !name.endsWith('/'))).toEqual(
        [...inFolder('even', NAMED), ...inFolder('odd', ODD)].sort(),
      )
    })

    test('a move of a folder with only such keys is refused; copies count them', async () => {
      await using t = await start()
      await using s3 = await addS3Mount(t, { mountPath: '/s3' })
      await fillOdd(s3, ODD)
      const only = await call(t, 'rename', { oldPath: '/s3/odd/', newPath: '/s3/even/' })
      expect([only.status, only.body.error.code]).toEqual([409, 'fs.names_unusable'])
      await fillOdd(s3, NAMED)
      const items = [{ sourcePath: '/s3/odd/', targetPath: '/s3/copied' }]
      const copied = await call(t, 'batch-copy', { items, skipExisting: false })
      expect(copied.body.data).toMatchObject({
        failed: ODD.length,
        details: [{ sourcePath: '/s3/odd/', code: 'fs.partly_done' }],
      })
      expect(await namesIn(s3)).toEqual(
        [...inFolder('copied', NAMED), ...inFolder('odd', [...ODD, ...NAMED])].sort(),
      )
      const across = [{ sourcePath: '/s3/odd/', targetPath: '/local/copied' }]
      const plan = await call(t, 'batch-copy', { items: across, skipExisting: false })
      expect(plan.body.data.crossStorageResults[0].items).toHaveLength(NAMED.length)
      expect(plan.body.data.failed.map((f: { code: string }) => f.code)).toEqual(
        ODD.map(() => 'fs.names_unusable'),
      )
      const streamed = await call(t, 'batch-copy', { items: across, server: true, skipExisting: false })
      expect(streamed.body.data.failed).toBe(ODD.length)
      const moved = await call(t, 'batch-move', {
        items: [{ sourcePath: '/s3/odd/', targetPath: '/local/moved' }],
      })
      expect(moved.body.data).toMatchObject({ success: NAMED.length, failed: ODD.length })
      const disk = await localDisk(t)
      expect(await disk.keys('moved/')).toEqual(inFolder('moved', NAMED).sort())
      expect((await namesIn(s3)).filter((name) => name.startsWith('odd/'))).toEqual(
        inFolder('odd', ODD).sort(),
      )
    })

    test('an archive names each of them in its report, and contains the other files', async () => {
      await using t = await start()
      await using s3 = await addS3Mount(t, { mountPath: '/s3' })
      await fillOdd(s3)
      const { 'archive-report.txt': report = '', ...files } = await unpack(
        (await call(t, 'archive', { paths: ['/s3/odd/'] })).bytes,
      )
      expect(Object.keys(files).sort()).toEqual(inFolder('odd', NAMED).sort())
      expect(report.trim().split('\n')).toHaveLength(ODD.length)
      for (const name of ODD) expect(report).toContain(`/s3/odd/${name.replace('\n', '\\x0a')}: `)
    })
  })
})
