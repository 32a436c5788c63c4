// @vitest-environment jsdom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Outcome } from '../api/fs.api.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { endSession, startSession } from '../../../domains/session/session.ts'
import { flushRemovals, lastRemoval, removeSoon, undoRemoval, UNDO_MS } from './removals.ts'

const answer = (data: unknown) => Response.json({ code: 200, success: true, message: 'OK', data, failed: [] })

let sent: string[][] = []
let outcomes: Outcome[] = []
let failures: unknown[] = []

const remove = (...paths: string[]) =>
  removeSoon({
    paths,
    onDone: (outcome) => outcomes.push(outcome),
    onFailed: (error) => failures.push(error),
  })

beforeAll(async () => {
  await i18n.init({ lng: 'en-US', resources: {} })
})
beforeEach(() => {
  vi.useFakeTimers()
  sent = []
  outcomes = []
  failures = []
  vi.stubGlobal('fetch', (_url: string, { body }: { body: string }) => {
    const { paths } = JSON.parse(body) as { paths: string[] }
    sent.push(paths)
    return Promise.resolve(answer({ success: paths.length, failed: [] }))
  })
})
afterEach(async () => {
  await flushRemovals()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a removal', () => {
  test('is sent when its time is over, once', async () => {
    remove('/m/a')
    await vi.advanceTimersByTimeAsync(UNDO_MS - 1)
    expect(sent).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await flushRemovals()
    expect(sent).toEqual([['/m/a']])
    expect(outcomes).toMatchObject([{ doneCount: 1, failures: [] }])
  })
  test('is not sent if it was undone', async () => {
    const id = remove('/m/a')
    expect(lastRemoval()).toBe(id)
    expect(undoRemoval(id)).toBe(true)
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2)
    expect(sent).toEqual([])
    expect(undoRemoval(id)).toBe(false)
    expect(lastRemoval()).toBeNull()
  })
  test('that the end of the session prevents is reported, and never sent', async () => {
    startSession({ kind: 'admin', token: 't' })
    const ended = vi.fn<() => void>()
    removeSoon({ paths: ['/m/a'], onDone: () => undefined, onFailed: () => undefined, onEnded: ended })
    endSession('admin-expired')
    expect(ended).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(UNDO_MS * 2)
    expect(sent).toEqual([])
  })
  test('is sent before another write', async () => {
    const id = remove('/m/a')
    remove('/m/b', '/m/c')
    await flushRemovals()
    expect(sent).toEqual([['/m/a'], ['/m/b', '/m/c']])
    expect(undoRemoval(id)).toBe(false)
  })
  test('reports the names of items that were not removed', async () => {
    vi.stubGlobal('fetch', () =>
      Promise.resolve(
        answer({ success: 1, failed: [{ path: '/m/b', code: 'x.y', error: 'Held by another.' }] }),
      ),
    )
    remove('/m/a', '/m/b')
    await flushRemovals()
    expect(outcomes).toMatchObject([
      { doneCount: 1, failures: [{ path: '/m/b', reason: 'Held by another.' }] },
    ])
  })
  test('reports that the server is unreachable', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')))
    remove('/m/a')
    await flushRemovals()
    expect(failures).toMatchObject([{ code: 'client.network' }])
  })
})
