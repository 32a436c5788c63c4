// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { endSession, getSession, startSession } from '../../session/session.ts'
import { addMountUploads } from './mount-uploads.ts'
import { restoreUploads } from './restore-uploads.ts'
import { uploads } from './uploads.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('empty folders are created with their parents', async () => {
  const made: unknown[] = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    made.push((JSON.parse(body) as { path: string }).path)
    return Promise.resolve(Response.json({ code: 201, message: '', success: true }, { status: 201 }))
  })
  addMountUploads({ directory: '/m/in/', picked: [], emptyFolders: ['a/b/'] })
  await vi.waitFor(() => expect(made).toEqual(['/m/in/a', '/m/in/a/b']))
})

test('files chosen after an unnoticed end of the session are uploaded after the login', async () => {
  let isExpired = true
  vi.stubGlobal('fetch', (address: string) => {
    const status = isExpired ? 401 : address.includes('/api/fs/get') ? 404 : 500
    const code = status === 404 ? 'fs.not_found' : 'auth.unauthorized'
    const error = { code, requestId: '' }
    return Promise.resolve(Response.json({ code: status, message: '', success: false, error }, { status }))
  })
  startSession({ kind: 'admin', token: 'old' })
  addMountUploads({ directory: '/m', picked: [{ file: new File(['x'], 'late.txt'), folder: '' }] })
  await vi.waitFor(() => expect(getSession().kind).toBe('none'))
  await vi.waitFor(() => expect(uploads.getAll()).toEqual([]))
  isExpired = false
  startSession({ kind: 'admin', token: 'new' })
  await vi.waitFor(() => expect(uploads.getAll().map(({ name }) => name)).toEqual(['late.txt']))
  endSession('logout')
  expect(uploads.getAll()).toEqual([])
})

test('small files that a reload has lost are requested by name, only from the same user', async () => {
  vi.stubGlobal('fetch', (address: string) =>
    address.includes('/api/fs/get')
      ? Promise.resolve(
          Response.json(
            { code: 404, message: '', success: false, error: { code: 'fs.not_found', requestId: '' } },
            { status: 404 },
          ),
        )
      : new Promise(() => undefined),
  )
  const leaveTab = () => window.dispatchEvent(new Event('pagehide'))
  startSession({ kind: 'admin', token: 'first' })
  await restoreUploads()
  const small = new File(['small'], 'small.txt', { lastModified: 5 })
  addMountUploads({ directory: '/m', picked: [{ file: small, folder: 'a/' }] })
  await vi.waitFor(() => expect(uploads.getAll().map(({ state }) => state)).toEqual(['uploading']))
  leaveTab()
  uploads.leave({ isForGood: false })
  await restoreUploads()
  expect(uploads.getAll()).toMatchObject([
    {
      name: 'small.txt',
      batch: { directory: '/m/a' },
      file: { name: 'small.txt', size: 5, lastModified: 5 },
      state: 'paused',
      hasSource: false,
    },
  ])
  leaveTab()
  endSession('logout')
  startSession({ kind: 'apikey', token: 'key', info: { id: 'k' } } as never)
  await restoreUploads()
  expect(uploads.getAll()).toEqual([])
  endSession('logout')
  startSession({ kind: 'admin', token: 'second' })
  await restoreUploads()
  expect(uploads.getAll()).toEqual([])
  endSession('logout')
})
