import type { LoaderCallbacks, LoaderConfiguration, LoaderContext } from 'hls.js'
import { expect, test } from 'vitest'
import type { PreviewBytes } from '../preview-source.ts'
import { bytesLoader } from './hls-bytes.ts'

const LIST = new TextEncoder().encode('#EXTM3U\n')

const bytes: PreviewBytes = {
  size: LIST.length,
  read: async (offset, length) => LIST.slice(offset, offset + length),
  async *stream() {
    yield LIST
  },
}

function load(context: Partial<LoaderContext>, find: () => PreviewBytes) {
  const loader = new (bytesLoader(find))()
  const answer = new Promise<unknown>((resolve) => {
    const callbacks = {
      onSuccess: ({ data }) => resolve(data),
      onError: ({ text }) => resolve(`failed: ${text}`),
      onTimeout: () => resolve('timeout'),
    } satisfies LoaderCallbacks<LoaderContext>
    const whole = { url: 'x', responseType: '', type: 'manifest', ...context } as LoaderContext
    loader.load(whole, {} as LoaderConfiguration, callbacks)
  })
  return { loader, answer }
}

test('a playlist is text, and a segment is bytes of a range', async () => {
  const list = load({}, () => bytes)
  expect(await list.answer).toBe('#EXTM3U\n')
  expect(list.loader.stats.loaded).toBe(8)
  const piece = load({ responseType: 'arraybuffer', rangeStart: 1, rangeEnd: 4 }, () => bytes)
  expect(new TextDecoder().decode((await piece.answer) as ArrayBuffer)).toBe('EXT')
})

test('an error of a segment is reported to the player', async () => {
  const { answer } = load({}, () => {
    throw new Error('no such file')
  })
  expect(await answer).toContain('no such file')
})
