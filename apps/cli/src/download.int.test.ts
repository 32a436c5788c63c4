import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { cp, lstat, mkdir, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Intercept, startFaultProxy } from '../../server/src/testing/fault-proxy.ts'
import { address, BASE, bytesOf, dropleaf, inPlace, MIB, place, start, useServer } from './testing/world.ts'

useServer()

/** Path of the part file, which collects the bytes beside the target. */
async function partOf(target: string): Promise<string> {
  const name = (await readdir(place)).find((one) => one.startsWith(target) && one.endsWith('.part'))
  return join(place, name ?? `${target}.part`)
}

async function gathered(target: string, bytes: number): Promise<void> {
  const size = async () => (await stat(await partOf(target)).catch(() => ({ size: 0 }))).size
  await vi.waitFor(async () => expect(await size()).toBeGreaterThanOrEqual(bytes))
}

/** Stalls each response after this many bytes, like a dead connection. */
const holding =
  (afterBytes: number, isHeld: () => boolean = () => true, onHeld: () => void = () => undefined): Intercept =>
  (request, response) => {
    if (!isOfBytes(request)) return false
    const write = response.write.bind(response)
    let passed = 0
    response.write = ((chunk: Buffer, ...rest: []) => {
      const isFirst = passed < afterBytes
      passed += chunk.length
      if (passed < afterBytes || !isHeld()) return write(chunk, ...rest)
      if (isFirst) onHeld()
      return false
    }) as typeof response.write
    return false
  }

async function shareBytes(slug: string, sizeBytes: number): Promise<Buffer> {
  const bytes = randomBytes(sizeBytes)
  const name = await inPlace(`${slug}.source`, bytes)
  expect((await dropleaf(['file', name, '--link', slug])).code).toBe(0)
  return bytes
}

test('a killed download requests only the rest, and takes one view', async () => {
  const bytes = randomBytes(9 * MIB)
  const name = await inPlace('big.bin', bytes)
  expect((await dropleaf(['file', name, '--link', 'fetched', '--views', '1'])).code).toBe(0)
  const ranges: (string | undefined)[] = []
  let isHolding = true
  const half = Promise.withResolvers<void>()
  await using proxy = await startFaultProxy(address, (request, response) => {
    if (request.method !== 'GET' || !request.url?.includes('file-download')) return false
    ranges.push(request.headers.range)
    if (!isHolding) return false
    const write = response.write.bind(response)
    let passed = 0
    response.write = ((chunk: Buffer, ...rest: []) => {
      passed += chunk.length
      if (passed < bytes.length / 2) return write(chunk, ...rest)
      half.resolve()
      return false
    }) as typeof response.write
    return false
  })
  const link = `${proxy.url}${BASE}/file/fetched`
  const first = start(['get', link, '-o', 'out.bin'])
  await half.promise
  await gathered('out.bin', MIB)
  first.child.kill('SIGKILL')
  await first.done
  isHolding = false
  const { size } = await stat(await partOf('out.bin'))
  expect(await dropleaf(['get', link, '-o', 'out.bin'])).toEqual({
    code: 0,
    out: `${join(place, 'out.bin')}\n`,
    err: '',
  })
  expect(ranges).toEqual([undefined, `bytes=${size}-`])
  expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
  expect((await dropleaf(['get', link, '-o', 'other.bin'])).code).toBe(4)
})

/** Closes the connection after this many bytes of each matching response, as proxies and mobile networks do. */
function cutting(isCut: (request: IncomingMessage) => boolean, { afterBytes, byReset }: Cut): Intercept {
  return (request, response) => {
    if (!isCut(request)) return false
    const write = response.write.bind(response)
    let passed = 0
    response.write = ((chunk: Buffer, ...rest: []) => {
      passed += chunk.length
      if (passed < afterBytes) return write(chunk, ...rest)
      // Closes the connection only after the client has written some bytes.
      const firstByte = Number(/\d+/.exec(request.headers.range ?? '')?.[0] ?? 0)
      void gathered('out.bin', firstByte + 1).then(() =>
        byReset ? response.socket?.resetAndDestroy() : response.socket?.end(),
      )
      return false
    }) as typeof response.write
    return false
  }
}
interface Cut {
  readonly afterBytes: number
  readonly byReset: boolean
}

const isOfBytes = ({ method, url }: IncomingMessage) =>
  method === 'GET' && url?.includes('file-download') === true

test.each([
  ['is closed', false],
  ['is reset', true],
])(
  'a download whose connection %s requests the rest automatically, and takes one view',
  async (_how, byReset) => {
    const bytes = randomBytes(9 * MIB)
    const slug = `cut-${byReset}`
    const name = await inPlace('big.bin', bytes)
    expect((await dropleaf(['file', name, '--link', slug, '--views', '1'])).code).toBe(0)
    const ranges: (string | undefined)[] = []
    const isFirst = (request: IncomingMessage) =>
      isOfBytes(request) && ranges.push(request.headers.range) === 1
    await using proxy = await startFaultProxy(address, cutting(isFirst, { afterBytes: 5 * MIB, byReset }))
    expect(await dropleaf(['get', `${proxy.url}${BASE}/file/${slug}`, '-o', 'out.bin'])).toEqual({
      code: 0,
      out: `${join(place, 'out.bin')}\n`,
      err: '',
    })
    expect(ranges).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)])
    expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
  },
)

test('a repeatedly interrupted download prints a hint, and replaces no file created meanwhile', async () => {
  const bytes = randomBytes(9 * MIB)
  const name = await inPlace('big.bin', bytes)
  expect((await dropleaf(['file', name, '--link', 'cut-always'])).code).toBe(0)
  let isCut = true
  let tries = 0
  const cut = cutting((request) => isCut && isOfBytes(request) && (tries += 1) > 0, {
    afterBytes: MIB,
    byReset: true,
  })
  await using proxy = await startFaultProxy(address, cut)
  const args = ['get', `${proxy.url}${BASE}/file/cut-always`, '-o', 'out.bin']
  const first = await dropleaf(args)
  expect([first.code, first.out, tries]).toEqual([5, '', 4])
  expect(first.err).toContain('Run the same command again to resume it.')
  isCut = false
  await inPlace('out.bin', 'mine')
  const refused = await dropleaf(args)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--force')])
  expect((await bytesOf('out.bin')).toString()).toBe('mine')
  expect((await dropleaf([...args, '--force'])).code).toBe(0)
  expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
})

test('a file created at the target during a download is not replaced', async () => {
  const bytes = randomBytes(3 * MIB)
  const name = await inPlace('big.bin', bytes)
  expect((await dropleaf(['file', name, '--link', 'met'])).code).toBe(0)
  await using proxy = await startFaultProxy(address, (request) => {
    if (isOfBytes(request)) writeFileSync(join(place, 'out.bin'), 'mine')
    return false
  })
  const args = ['get', `${proxy.url}${BASE}/file/met`, '-o', 'out.bin']
  const refused = await dropleaf(args)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--force')])
  expect((await bytesOf('out.bin')).toString()).toBe('mine')
  // All bytes have already arrived, so nothing is downloaded again.
  expect((await dropleaf([...args, '--force'])).code).toBe(0)
  expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
})

test('a download goes into the named folder; a missing target folder is reported', async () => {
  await mkdir(join(place, 'into'), { recursive: true })
  await inPlace('for-a-folder.bin', 'bytes')
  const file = (await dropleaf(['file', 'for-a-folder.bin'])).out.trim()
  const text = (await dropleaf(['text', '--link', 'for-a-folder'], { input: 'words' })).out.trim()
  expect(await dropleaf(['get', file, '-o', 'into'])).toMatchObject({ code: 0 })
  expect(await dropleaf(['get', text, '-o', 'into'])).toMatchObject({ code: 0 })
  expect((await bytesOf('into/for-a-folder.bin')).toString()).toBe('bytes')
  expect((await bytesOf('into/for-a-folder.txt')).toString()).toBe('words')
  expect(await dropleaf(['get', text, '-o', 'nowhere/x'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/cannot be written: there is no folder .*nowhere/),
  })
})

test('a download that cannot be written fails at once', async () => {
  const name = await inPlace('a.bin', 'a')
  expect((await dropleaf(['file', name, '--link', 'unwritten'])).code).toBe(0)
  const told = await dropleaf(['get', 'unwritten', '-o', 'no-such-folder/a.bin'])
  expect([told.code, told.err]).toEqual([
    1,
    expect.stringMatching(/a\.bin cannot be written: there is no folder .*no-such-folder/),
  ])
})

test('bytes downloaded by two processes for one target are right, wherever they were killed', async () => {
  const bytes = await shareBytes('at-once', 9 * MIB)
  let isHeld = true
  let held = 0
  const intercept = holding(
    2 * MIB,
    () => isHeld,
    () => (held += 1),
  )
  await using proxy = await startFaultProxy(address, intercept)
  const args = ['get', `${proxy.url}${BASE}/file/at-once`, '-o', 'out.bin']
  // Uses separate state folders, as different users do. Different users do not see each other's locks.
  const homes = ['a', 'b', 'c'].map((name) => join(place, name))
  const [home = '', ...others] = homes
  const runsOf = (folders: readonly string[]) =>
    folders.map((folder) => start(args, { env: { XDG_STATE_HOME: folder } }))
  const endOf = async (runs: ReturnType<typeof runsOf>) => {
    await expect.poll(() => held).toBe(runs.length)
    await gathered('out.bin', MIB)
    held = 0
    for (const { child } of runs) child.kill('SIGKILL')
    await Promise.all(runs.map(({ done }) => done))
  }
  await endOf(runsOf([home]))
  for (const other of others) await cp(home, other, { recursive: true })
  await endOf(runsOf(others))
  isHeld = false
  expect(await dropleaf(args, { env: { XDG_STATE_HOME: home } })).toMatchObject({ code: 0 })
  expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
})

test('two shares started for one target do not mix', async () => {
  const one = await shareBytes('mixed-one', 9 * MIB)
  await shareBytes('mixed-two', 9 * MIB)
  let isHeld = true
  let held = 0
  const intercept = holding(
    4 * MIB,
    () => isHeld,
    () => (held += 1),
  )
  await using proxy = await startFaultProxy(address, intercept)
  const argsOf = (slug: string) => ['get', `${proxy.url}${BASE}/file/${slug}`, '-o', 'out.bin']
  for (const [before, slug] of ['mixed-one', 'mixed-two'].entries()) {
    const { child, done } = start(argsOf(slug))
    await expect.poll(() => held).toBe(before + 1)
    await gathered('out.bin', 3 * MIB)
    child.kill('SIGKILL')
    await done
  }
  isHeld = false
  expect(await dropleaf(argsOf('mixed-one'))).toMatchObject({ code: 0 })
  expect((await bytesOf('out.bin')).equals(one)).toBe(true)
})

test('a second download to one target is rejected while the first is alive, and resumes after a kill', async () => {
  const bytes = await shareBytes('kept-out', 9 * MIB)
  let isHeld = true
  await using proxy = await startFaultProxy(
    address,
    holding(4 * MIB, () => isHeld),
  )
  const args = ['get', `${proxy.url}${BASE}/file/kept-out`, '-o', 'out.bin']
  const { child, done } = start(args)
  await gathered('out.bin', 3 * MIB)
  const second = await dropleaf([...args, '--force'])
  expect([second.code, second.out]).toEqual([1, ''])
  expect(second.err).toContain(`is already being downloaded by the process ${child.pid}.`)
  child.kill('SIGKILL')
  await done
  isHeld = false
  expect(await dropleaf(args)).toMatchObject({ code: 0, err: '' })
  expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
  expect((await readdir(join(place, 'state', 'dropleaf'))).length).toBe(0)
})

test.each(['is larger than the file', 'is refused by the server'])(
  'a part file that %s is discarded, and everything is downloaded',
  async (how) => {
    const isLarger = how.includes('larger')
    const bytes = await shareBytes(`given-up-${isLarger}`, 9 * MIB)
    let isHeld = true
    const hold = holding(4 * MIB, () => isHeld)
    await using proxy = await startFaultProxy(address, (request, response) => {
      if (isHeld || isLarger || request.headers.range === undefined) return hold(request, response)
      response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end()
      return true
    })
    const args = ['get', `${proxy.url}${BASE}/file/given-up-${isLarger}`, '-o', 'out.bin']
    const { child, done } = start(args)
    await gathered('out.bin', 3 * MIB)
    child.kill('SIGKILL')
    await done
    isHeld = false
    if (isLarger) await writeFile(await partOf('out.bin'), Buffer.alloc(10 * MIB))
    expect(await dropleaf(args)).toMatchObject({ code: 0, err: '' })
    expect((await bytesOf('out.bin')).equals(bytes)).toBe(true)
    expect((await readdir(place)).filter((name) => name.endsWith('.part'))).toEqual([])
  },
)

test('special files are never replaced, with messages in both languages', async () => {
  await shareBytes('special', 1000)
  const text = await dropleaf(['text', '--link', 'special-text'], { input: 'words' })
  execFileSync('mkfifo', [join(place, 'fifo')])
  await inPlace('mine', 'mine')
  await symlink(join(place, 'mine'), join(place, 'link'))
  await symlink(join(place, 'nowhere'), join(place, 'dangling'))
  for (const name of ['fifo', 'link', 'dangling']) {
    for (const what of [`${address}/file/special`, text.out.trim()]) {
      const before = await lstat(join(place, name))
      const told = await dropleaf(['get', what, '-o', name, '--force'])
      expect([name, told.code, told.err]).toEqual([name, 2, expect.stringContaining('not a regular file')])
      expect((await lstat(join(place, name))).ino).toBe(before.ino)
    }
    const zh = await dropleaf(['get', 'special', '-o', name], { env: { LANG: 'zh_CN.UTF-8' } })
    expect([zh.code, zh.err]).toEqual([2, expect.stringContaining('不是普通文件')])
  }
  expect((await bytesOf('mine')).toString()).toBe('mine')
  expect(await readdir(place)).not.toContain('nowhere')
})

test('a name of the maximum length is downloaded under it, and can be resumed', async () => {
  const name = `${'名'.repeat(83)}.long`
  const bytes = randomBytes(3000)
  await inPlace(name, bytes)
  expect((await dropleaf(['file', name, '--link', 'long-name'])).code).toBe(0)
  await rename(join(place, name), join(place, 'source'))
  expect(await dropleaf(['get', 'long-name'])).toEqual({ code: 0, out: `${join(place, name)}\n`, err: '' })
  expect((await bytesOf(name)).equals(bytes)).toBe(true)
  const told = await dropleaf(['get', 'long-name', '-o', 'x'.repeat(256)])
  expect([told.code, told.err]).toEqual([1, expect.stringContaining('the name is too long')])
})
