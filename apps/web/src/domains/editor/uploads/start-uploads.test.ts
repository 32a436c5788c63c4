import { expect, test, vi } from 'vitest'
import { dismissNotice, getNotices } from '../../../lib/notices.ts'
import { startUploads } from './start-uploads.ts'
import type { FileLink, PlaceholderFile } from './upload-placeholder.ts'

const files = ['a.png', 'b.png', 'c.pdf'].map((name) => new File(['x'], name))

function start(upload: (file: File) => Promise<string>) {
  const inserted: FileLink[] = []
  const signs: PlaceholderFile[] = []
  startUploads({
    files,
    uploads: {
      upload: async (file) => ({ address: await upload(file), isImage: file.name.endsWith('png') }),
      mayUpload: () => true,
      reasonOf: (error) => (error as Error).message,
    },
    showSign: (file) => {
      signs.push(file)
      return { progress: () => {}, setFailed: () => {}, settle: () => true }
    },
    insert: (_sign, link) => inserted.push(link),
    kindOf: (isImage) => (isImage ? 'image' : 'link'),
    words: { cancel: (name) => name, failed: (name, reason) => `${name}: ${reason}`, retry: 'Retry' },
  })
  return { inserted, signs }
}

test('links are inserted in the order of their files, each on a separate line', async () => {
  const ends = new Map<string, (address: string) => void>()
  const { inserted } = start(({ name }) => new Promise((resolve) => void ends.set(name, resolve)))
  for (const name of ['c.pdf', 'b.png', 'a.png']) ends.get(name)?.(`/${name}`)
  await vi.waitFor(() => expect(inserted).toHaveLength(3))
  expect(inserted.map(({ name, kind, isNext }) => [name, kind, isNext])).toEqual([
    ['a.png', 'image', false],
    ['b.png', 'image', true],
    ['c.pdf', 'link', true],
  ])
  expect(getNotices()).toEqual([])
})

test('failed uploads stay in one notice until all have succeeded or were cancelled', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let isBroken = true
  const { inserted, signs } = start(async ({ name }) => {
    if (isBroken && name !== 'b.png') throw new Error('no room')
    return `/${name}`
  })
  await vi.waitFor(() => expect(getNotices()[0]?.text).toBe('a.png: no room\nc.pdf: no room'))
  vi.advanceTimersByTime(600_000)
  expect(getNotices()).toHaveLength(1)
  expect(inserted.map(({ name }) => name)).toEqual(['b.png'])
  signs[2]?.onCancel()
  expect(getNotices()).toHaveLength(1)
  isBroken = false
  getNotices()[0]?.action?.run()
  await vi.waitFor(() => expect(inserted.map(({ name }) => name)).toEqual(['b.png', 'a.png']))
  expect(getNotices()).toEqual([])
  for (const { id } of getNotices()) dismissNotice(id)
  vi.useRealTimers()
})
