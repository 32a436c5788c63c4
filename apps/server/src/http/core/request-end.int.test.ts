import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../testing/app.ts'
import { listen } from '../../testing/drive.ts'
import { localDisk } from '../../testing/storages.ts'

interface Line {
  readonly msg: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly cut?: boolean
}

/** Collects the lines of the request log as they are written. */
function requestLog() {
  const lines: Line[] = []
  const first = Promise.withResolvers<void>()
  return {
    onLog: (text: string) => {
      const line = JSON.parse(text) as Line
      if (line.msg === 'request') lines.push(line)
      if (lines.length > 0) first.resolve()
    },
    first: first.promise,
    of: (path: string) => lines.filter((line) => line.path === path),
  }
}

const turns = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await nextTurn()
}

type HangUp = 'close' | 'reset' | 'half-close'

/** Sends a request over a new connection, and disconnects immediately or when `after` resolves. */
async function sendAndLeave(
  t: TestApp,
  text: string,
  { how, after }: { how: HangUp; after?: () => Promise<unknown> },
): Promise<void> {
  const { port } = new URL(await listen(t))
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise((resolve) => socket.write(text, resolve))
  await after?.()
  if (how === 'reset') socket.resetAndDestroy()
  else if (how === 'close') socket.destroy()
  else socket.end()
}

const requestOf = (
  method: string,
  path: string,
  { authorization, body }: { authorization: string | null; body?: object },
) => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const type =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${type}\r\n${text}`
}

/** Resolves when the server's side of the next connection has closed. */
const connectionClosed = async (t: TestApp) => {
  const [socket] = (await once(t.app.server, 'connection')) as [Socket]
  // Does not use `once`, which would throw the error of a reset connection.
  await new Promise((resolve) => socket.on('close', resolve))
}

const RIGHTS = { text_permission: true, mount_permission: true }

async function entriesOf(t: TestApp, id: string) {
  const query = { actor: `apikey:${id}`, limit: '200' }
  const page = await t.admin.call('GET', '/api/admin/audit', { query })
  return page.body.data.entries as Array<{ action: string; target: string; status: number; outcome: string }>
}

const soon = (check: () => unknown) => vi.waitFor(check)

describeEachDatabase('a client that disconnects before the response', ({ startApp, engine }) => {
  test.each<HangUp>(['close', 'reset', 'half-close'])(
    'has done what is in the logs, once (%s)',
    async (how) => {
      const log = requestLog()
      await using t = await startApp({ onLog: log.onLog })
      const key = await t.keyClient(RIGHTS)
      const disk = await localDisk(t)
      await disk.put('gone.txt', 'x')
      await sendAndLeave(t, requestOf('DELETE', '/dav/local/gone.txt', key), { how })
      const rounds = 10
      for (let n = 0; n < rounds; n += 1) {
        const folder = { ...key, body: { path: `/local/made-${n}` } }
        const text = { ...key, body: { content: `text ${n}` } }
        await sendAndLeave(t, requestOf('POST', '/api/fs/mkdir', folder), { how })
        // Disconnects at a different moment in each round, after more turns of the event loop.
        await sendAndLeave(t, requestOf('POST', '/api/paste', text), { how, after: () => turns(3 * n) })
      }
      await soon(async () => {
        const entries = await entriesOf(t, key.id)
        expect(entries).toHaveLength(1 + 2 * rounds)
        expect(log.of('/api/fs/mkdir')).toHaveLength(rounds)
      })
      const entries = await entriesOf(t, key.id)
      // If the sender disconnects before the server reads the body, the body is lost and the action is logged as
      // refused.
      const doneOf = (wanted: string) =>
        entries.filter(({ action, outcome }) => action === wanted && outcome === 'done')
      expect(entries.find(({ action }) => action === 'drive.delete')).toMatchObject({
        target: '/local/gone.txt',
        status: 204,
      })
      const folders = doneOf('drive.create_folder').map(({ target }) => `${target.slice('/local/'.length)}/`)
      expect(folders.toSorted()).toEqual((await disk.keys('made-')).toSorted())
      const texts = await t.ctx.db.selectFrom('pastes').select('slug').execute()
      const slugs = doneOf('text.create').map(({ target }) => target)
      expect(slugs.toSorted()).toEqual(texts.map(({ slug }) => slug).toSorted())
      if (engine === 'sqlite') expect(folders.length + slugs.length).toBeGreaterThan(rounds)
      expect(await disk.keys('gone')).toEqual([])
      expect(log.of('/dav/local/gone.txt')).toHaveLength(1)
      expect(log.of('/api/paste')).toHaveLength(rounds)
    },
  )

  test('is logged when the work has ended, with its result', async () => {
    const log = requestLog()
    await using t = await startApp({ onLog: log.onLog })
    const key = await t.keyClient(RIGHTS)
    const disk = await localDisk(t)
    await disk.put('slow.txt', 'x')
    const driver = await disk.driver()
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const remove = driver.remove.bind(driver)
    driver.remove = async (...input) => {
      called.resolve()
      await gate.promise
      return remove(...input)
    }
    const body = { paths: ['/local/slow.txt'] }
    const asked = requestOf('DELETE', '/api/fs/batch-remove', { ...key, body })
    const closed = connectionClosed(t)
    await sendAndLeave(t, asked, { how: 'reset', after: () => called.promise })
    await closed
    expect(await entriesOf(t, key.id)).toEqual([])
    expect(log.of('/api/fs/batch-remove')).toEqual([])
    gate.resolve()
    await soon(async () => expect(await entriesOf(t, key.id)).toHaveLength(1))
    expect(log.of('/api/fs/batch-remove')).toMatchObject([{ status: 200, cut: true }])
    const refused = requestOf('POST', '/api/fs/mkdir', { ...key, body: { path: '/nowhere/x' } })
    await sendAndLeave(t, refused, { how: 'reset' })
    await soon(async () => expect(await entriesOf(t, key.id)).toHaveLength(2))
    expect((await entriesOf(t, key.id))[0]).toMatchObject({
      action: 'drive.create_folder',
      outcome: 'refused',
    })
  })

  test('is waited for when the server stops right afterwards', async () => {
    const log = requestLog()
    await using t = await startApp({ onLog: log.onLog })
    const key = await t.keyClient(RIGHTS)
    const disk = await localDisk(t)
    await disk.put('slow.txt', 'x')
    const driver = await disk.driver()
    const remove = driver.remove.bind(driver)
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    driver.remove = async (...input) => {
      called.resolve()
      await gate.promise
      return remove(...input)
    }
    const body = { paths: ['/local/slow.txt'] }
    await sendAndLeave(t, requestOf('DELETE', '/api/fs/batch-remove', { ...key, body }), {
      how: 'reset',
      after: () => called.promise,
    })
    const restarted = t.restart()
    await soon(() => expect(t.app.server.listening).toBe(false))
    gate.resolve()
    await using next = await restarted
    expect(log.of('/api/fs/batch-remove')).toMatchObject([{ status: 200, cut: true }])
    expect(await entriesOf(next, key.id)).toMatchObject([{ action: 'drive.delete', outcome: 'done' }])
  })

  test('does not delay a stop for longer than connections do', async () => {
    await using t = await startApp({ env: { SHUTDOWN_SECONDS: '1' } })
    const key = await t.keyClient(RIGHTS)
    const disk = await localDisk(t)
    await disk.put('stuck.txt', 'x')
    const driver = await disk.driver()
    const [called, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const remove = driver.remove.bind(driver)
    driver.remove = async (...input) => {
      called.resolve()
      await gate.promise
      return remove(...input)
    }
    const body = { paths: ['/local/stuck.txt'] }
    const asked = requestOf('DELETE', '/api/fs/batch-remove', { ...key, body })
    await sendAndLeave(t, asked, { how: 'reset', after: () => called.promise })
    await t.app.close()
    gate.resolve()
    await soon(async () => expect(await disk.keys('stuck')).toEqual([]))
  })

  test('has each of several concurrent requests on one connection logged', async () => {
    const log = requestLog()
    await using t = await startApp({ onLog: log.onLog })
    const key = await t.keyClient(RIGHTS)
    const requests = Array.from({ length: 5 }, (_, n) =>
      requestOf('POST', '/api/fs/mkdir', { ...key, body: { path: `/local/many-${n}` } }),
    )
    await sendAndLeave(t, requests.join(''), { how: 'reset', after: () => log.first })
    const isMade = ({ status }: { status: number }) => status < 300
    // Stopping the server waits for running requests.
    await using next = await t.restart()
    const made = (await (await localDisk(next)).keys('many-')).length
    const entries = await entriesOf(next, key.id)
    expect(entries.filter(isMade)).toHaveLength(made)
    expect(log.of('/api/fs/mkdir')).toHaveLength(entries.length)
    expect(log.of('/api/fs/mkdir').filter(isMade)).toHaveLength(made)
  })

  test('a request that is answered normally is logged once, and not as interrupted', async () => {
    const log = requestLog()
    await using t = await startApp({ onLog: log.onLog })
    const key = await t.keyClient(RIGHTS)
    const { origin } = new URL(await listen(t))
    for (let n = 0; n < 3; n += 1)
      await fetch(`${origin}/api/fs/mkdir`, {
        method: 'POST',
        headers: { authorization: key.authorization ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ path: `/local/waited-${n}` }),
      })
    await soon(() => expect(log.of('/api/fs/mkdir')).toHaveLength(3))
    expect(log.of('/api/fs/mkdir').every((line) => !('cut' in line))).toBe(true)
    expect(await entriesOf(t, key.id)).toHaveLength(3)
  })

  test('a body above the limit of a drive is refused as too large, and its end is logged', async () => {
    const log = requestLog()
    await using t = await startApp({ onLog: log.onLog })
    const { key } = await t.keyClient(RIGHTS)
    const answer = await fetch(new URL('/dav/local/', await listen(t)), {
      method: 'PROPFIND',
      headers: { authorization: `ApiKey ${key}`, depth: '0' },
      body: 'x'.repeat(2_000_000),
    })
    expect(answer.status).toBe(413)
    await soon(() => expect(log.of('/dav/local/').map(({ status }) => status)).toEqual([413]))
  })

  test.for([
    ['PUT', '/'],
    ['PUT', '/dav/local/a.bin'],
    ['POST', '/api/paste'],
  ] as const)('who is refused may send on for a while: %s %s', async ([method, path], { expect }) => {
    await using t = await startApp()
    const { port } = new URL(await listen(t))
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    const faults: Error[] = []
    socket.on('error', (error) => faults.push(error))
    let answer = ''
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
    const answered = once(socket, 'end')
    const part = Buffer.alloc(100_000)
    const parts = 40
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${part.length * parts}\r\n\r\n`)
    await answered
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    for (let sent = 0; sent < parts; sent += 1) {
      await new Promise((resolve) => socket.write(part, resolve))
    }
    await once(socket.end(), 'close')
    expect(faults).toEqual([])
  })

  test('a request that follows the body of a refused one is not executed', async () => {
    await using t = await startApp()
    const key = await t.keyClient({ text_permission: true })
    const { port } = new URL(await listen(t))
    const socket = connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true })
    const answered = once(socket.resume(), 'end')
    const half = 'x'.repeat(50_000)
    socket.write(`PUT /a.bin HTTP/1.1\r\nHost: a\r\nContent-Length: ${2 * half.length}\r\n\r\n${half}`)
    await answered
    const text = JSON.stringify({ content: 'behind' })
    socket.write(
      `${half}POST /api/paste HTTP/1.1\r\nHost: a\r\nAuthorization: ${key.authorization}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    )
    await once(socket.end(), 'close')
    await using next = await t.restart()
    expect(await next.ctx.db.selectFrom('pastes').select('id').execute()).toEqual([])
  })
})
