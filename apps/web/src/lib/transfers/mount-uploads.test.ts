// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { addMountUploads } from './mount-uploads.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('empty folders are made with those above them', async () => {
  const made: unknown[] = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    made.push((JSON.parse(body) as { path: string }).path)
    return Promise.resolve(Response.json({ code: 201, message: '', success: true }, { status: 201 }))
  })
  addMountUploads({ directory: '/m/in/', picked: [], emptyFolders: ['a/b/'] })
  await vi.waitFor(() => expect(made).toEqual(['/m/in/a', '/m/in/a/b']))
})
