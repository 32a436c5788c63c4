import { ARCHIVE_REPORT_NAME } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { zipStream } from '../../../lib/zip-stream.ts'
import { createTail, readReport } from './archive-report.ts'

async function tailOf(
  members: Array<{ name: string; input: string | Uint8Array<ArrayBuffer> }>,
): Promise<Uint8Array> {
  const tail = createTail()
  const entries = members.map(({ name, input }) => {
    const content = new Blob([input])
    return { name, input: content.stream(), modifiedAt: new Date(0), sizeBytes: content.size }
  })
  const reader = zipStream(() => entries).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return tail.bytes()
    tail.push(value)
  }
}

const REPORT = '/m/a.txt: The file is gone.\n/m/照片.jpg: 存储没有响应\n'

test('the report at the end of an archive is found after any content', async () => {
  const inner = await tailOf([{ name: ARCHIVE_REPORT_NAME, input: '/inner: no' }])
  const members = [
    { name: 'a.zip', input: new Uint8Array(inner) },
    { name: 'large.bin', input: new Uint8Array(3_000_000) },
    { name: ARCHIVE_REPORT_NAME, input: REPORT },
  ]
  expect(readReport(await tailOf(members))).toEqual([
    '/m/a.txt: The file is gone.',
    '/m/照片.jpg: 存储没有响应',
  ])
})

test('an archive without one has none, also when a file of that name was packed', async () => {
  expect(readReport(await tailOf([{ name: 'a', input: 'x' }]))).toEqual([])
  expect(readReport(await tailOf([{ name: ARCHIVE_REPORT_NAME, input: 'a report of my own' }]))).toEqual([])
  const first = [
    { name: ARCHIVE_REPORT_NAME, input: REPORT },
    { name: 'last', input: 'x' },
  ]
  expect(readReport(await tailOf(first))).toEqual([])
  expect(readReport(new Uint8Array())).toEqual([])
})

test('only the end of the archive is kept in memory', () => {
  const tail = createTail()
  for (let n = 0; n < 1000; n += 1) tail.push(new Uint8Array(10_000).fill(n % 256))
  expect(tail.bytes().length).toBeLessThan(600_000)
  expect(tail.bytes().at(-1)).toBe(999 % 256)
})
