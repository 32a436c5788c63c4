import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inState, makeStateFolder } from './state-folder.ts'
import { stateStore } from './state.ts'
import { withTarget } from './targets/target-lock.ts'

const run = promisify(execFile)

let home = ''
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'dropleaf-state-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

const environmentIn = (folder: string) => {
  const { stdin, stdout, stderr } = process
  return { variables: { XDG_STATE_HOME: folder }, stdin, stdout, stderr, folder: home }
}

test.each([
  ['EACCES', 'state.not_permitted'],
  ['EROFS', 'state.read_only'],
  ['ENOSPC', 'state.disk_full'],
  ['EIO', 'state.unusable'],
])('the error %s of a state folder is reported as %s', async (code, text) => {
  const failed = Promise.reject(Object.assign(new Error('of the system'), { code }))
  await expect(inState('/there/dropleaf/a.lock', failed)).rejects.toMatchObject({
    exitCode: 1,
    text,
    params: { file: '/there/dropleaf/a.lock', folder: '/there/dropleaf', detail: code },
  })
})

test.each([
  ['the folder', 'a/dropleaf'],
  ['one above it', 'b'],
])('a file in the place of %s is named, for locks and for states', async (_which, place) => {
  const blocker = join(home, place)
  await mkdir(join(blocker, '..'), { recursive: true })
  await writeFile(blocker, '')
  const environment = environmentIn(join(home, place.startsWith('a') ? 'a' : 'b/deeper'))
  const told = { exitCode: 1, text: 'state.no_folder', params: { blocker } }
  await expect(withTarget(environment, '/target', async () => 'done')).rejects.toMatchObject(told)
  await expect(stateStore(environment, 'upload', ['a']).keep({})).rejects.toMatchObject(told)
})

test('a folder in the place of a state file is named, and leaves no files behind', async () => {
  const environment = environmentIn(home)
  const store = stateStore(environment, 'upload', ['a'])
  await store.keep({})
  const folder = join(home, 'dropleaf')
  const [name = ''] = await readdir(folder)
  await store.forget()
  await mkdir(join(folder, name))
  const told = { exitCode: 1, text: 'state.no_file', params: { file: join(folder, name) } }
  await expect(store.keep({})).rejects.toMatchObject(told)
  await expect(store.forget()).rejects.toMatchObject(told)
  expect(await readdir(folder)).toEqual([name])
})

test('a read-only disk is reported as such', async ({ skip }) => {
  skip(process.platform !== 'linux' || process.getuid?.() !== 0, 'only root on Linux can mount one')
  const script = `
    import { makeStateFolder } from ${JSON.stringify(new URL('state-folder.ts', import.meta.url).href)}
    await makeStateFolder(process.argv[1]).catch(({ code }) => console.log(code))
  `
  const disk = join(home, 'disk')
  await mkdir(disk)
  const node = [process.execPath, '--input-type=module', '-e', script, join(disk, 'a', 'b')]
  const inside = 'mount -t tmpfs -o ro none "$0" && exec "$@"'
  const { stdout } = await run('unshare', ['--mount', 'sh', '-c', inside, disk, ...node])
  expect(stdout).toBe('EROFS\n')
})

test('a folder is created with its parents, also by several processes at once', async () => {
  const folder = join(home, 'c', 'd', 'e')
  await Promise.all([1, 2, 3].map(() => makeStateFolder(folder)))
  await makeStateFolder(folder)
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})
