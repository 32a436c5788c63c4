// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readThumbnail, watchThumbnail } from './thumbnails.ts'

const wanted = (name: string) => `/api/fs/thumbnail?path=${encodeURIComponent(`/m/${name}`)}&size=320`

let asked: { path: string; answer: (response: Response) => void }[] = []
const answerAll = (status: number) => {
  const body = status === 204 ? null : 'bytes'
  for (const { answer } of asked.splice(0)) answer(new Response(body, { status }))
}

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', (url: string) => {
    const path = new URL(url, 'http://localhost').searchParams.get('path') ?? ''
    return new Promise<Response>((answer) => asked.push({ path, answer }))
  })
  vi.stubGlobal('createImageBitmap', () =>
    Promise.resolve({ width: 300, height: 200, close: () => undefined }),
  )
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  )
})
afterEach(() => vi.unstubAllGlobals())

test('six are requested at once; the most recently visible are first, and hidden ones are not requested', async () => {
  const told = vi.fn<() => void>()
  const stops = Array.from({ length: 9 }, (_, index) => watchThumbnail(wanted(`a${index}.png`), told))
  expect(asked).toHaveLength(6)
  stops[8]?.()
  answerAll(200)
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(6))
  expect(asked.map(({ path }) => path)).toEqual(['/m/a7.png', '/m/a6.png'])
  expect(readThumbnail(wanted('a0.png'))).toEqual({ url: 'blob:x', ratio: 1.5 })
  expect(readThumbnail(wanted('a6.png'))).toBeUndefined()
  answerAll(200)
  await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(8))
  watchThumbnail(wanted('a0.png'), told)
  expect(asked).toEqual([])
})

test('a file without a thumbnail on the server is reported as such', async () => {
  watchThumbnail(wanted('photo.jpg'), () => undefined)
  answerAll(204)
  await expect.poll(() => readThumbnail(wanted('photo.jpg'))).toBeNull()
})

test('a picture without a thumbnail is reported as such', async () => {
  watchThumbnail(wanted('broken.png'), () => undefined)
  answerAll(404)
  await expect.poll(() => readThumbnail(wanted('broken.png'))).toBeNull()
})
