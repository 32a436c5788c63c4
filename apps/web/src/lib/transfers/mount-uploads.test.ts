// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { endSession, getSession, startSession } from '../session.ts'
import { addMountUploads } from './mount-uploads.ts'
import { uploads } from './uploads.ts'

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

test('what was chosen when the session had ended unnoticed begins after the login', async () => {
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
