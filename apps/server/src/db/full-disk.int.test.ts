import { spawnSync } from 'node:child_process'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { endServer, startServer } from '../testing/server-process.ts'

const PASSWORD = 'correct horse battery'

/** Mounts a disk that is small enough to fill. @returns `null` if this user is not allowed to mount */
async function makeDisk(): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'dropleaf-disk-'))
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', folder]).status === 0) return folder
  await rm(folder, { recursive: true })
  return null
}

const disk = await makeDisk()
afterAll(async () => {
  if (disk === null) return
  spawnSync('umount', ['--lazy', disk])
  await rm(disk, { recursive: true })
})

/** Fills the disk to the last byte, as another program could. */
async function fill(folder: string): Promise<void> {
  const file = await open(join(folder, 'filler'), 'w')
  const block = Buffer.alloc(4096)
  try {
    for (;;) await file.write(block)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    await file.close()
  }
}

test.skipIf(disk === null)(
  'on a full disk logins and deletions work, and new objects are refused',
  async () => {
    const folder = disk ?? ''
    const server = await startServer({
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: PASSWORD,
      DISK_RESERVE_MB: '8',
    })
    let token = ''
    const call = async (method: string, path: string, body?: object | Buffer) => {
      const isJson = body !== undefined && !Buffer.isBuffer(body)
      const answer = await fetch(server.api + path, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(isJson && { 'content-type': 'application/json' }) },
        ...(body && { body: isJson ? JSON.stringify(body) : new Uint8Array(body) }),
      })
      return { status: answer.status, body: await answer.json() }
    }
    const logIn = () => call('POST', '/admin/login', { username: 'admin', password: PASSWORD })
    token = (await logIn()).body.data.token
    const text = await call('POST', '/paste', { content: 'x' })
    const share = await call('PUT', '/upload-direct/a.bin', Buffer.alloc(3_000_000, 'a'))
    expect((await call('PUT', '/fs/upload?path=/local/m.bin', Buffer.alloc(100_000))).status).toBeLessThan(
      300,
    )
    await fill(folder)
    const again = await logIn()
    expect(again.status).toBe(200)
    token = again.body.data.token
    // The server measures the free space a few times per second, so its last measurement may be older than the filler.
    const createText = async () => (await call('POST', '/paste', { content: 'y' })).body.error?.code
    await expect.poll(createText, { timeout: 30_000 }).toBe('storage.disk_full')
    expect((await call('DELETE', `/admin/pastes/${text.body.id}`)).status).toBe(200)
    const ids = [share.body.data.id]
    expect((await call('DELETE', '/admin/files/batch-delete', { ids })).body.data.success).toBe(1)
    expect((await call('DELETE', '/fs/batch-remove', { paths: ['/local/m.bin'] })).body.data.success).toBe(1)
    await endServer(server, 'SIGTERM')
  },
)
