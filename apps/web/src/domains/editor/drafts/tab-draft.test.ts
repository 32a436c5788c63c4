// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { endSession, startSession } from '../../session/session.ts'
import { createTabDraft } from './tab-draft.ts'

const tab = { id: () => 'mine', findOthers: async () => new Set(['living']) }

interface Text {
  readonly text: string
}
const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'text' in value

beforeEach(() => {
  endSession('logout')
  localStorage.clear()
})

test('a draft belongs to its tab, and drafts of other open tabs are unchanged', async () => {
  localStorage.setItem('d:living', '{"text":"theirs","savedAtMs":5}')
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  expect(draft.read()).toBeNull()
  draft.save(() => ({ text: 'mine' }))
  draft.flush()
  expect(draft.read()).toMatchObject({ text: 'mine' })
  expect(localStorage.getItem('d:living')).toContain('theirs')
  expect(await draft.findOrphans()).toEqual([])
})

test('drafts of closed tabs are found, newest first, and removed when they are taken over', async () => {
  localStorage.setItem('d', '{"text":"of no tab"}')
  localStorage.setItem('d:gone', '{"text":"older","savedAtMs":1}')
  localStorage.setItem('d:closed', '{"text":"latest","savedAtMs":2}')
  localStorage.setItem('d:broken', '7')
  localStorage.setItem('other:gone', '{"text":"elsewhere"}')
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  const orphans = await draft.findOrphans()
  expect(orphans.map(({ value }) => value.text)).toEqual(['latest', 'older', 'of no tab'])
  orphans[0]?.remove()
  expect(localStorage.getItem('d:closed')).toBeNull()
})

const admin = { kind: 'admin', token: 't' } as const
const keyOf = (id: string) =>
  ({
    kind: 'apikey',
    key: id,
    permissions: { text: true, file: true, mount: true, mount_read_only: false },
    info: { id, name: id, basic_path: '/' },
  }) as const

test('a draft is shown only to its author, also after a new login', async () => {
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  startSession(admin)
  draft.save(() => ({ text: 'of the administrator' }))
  // Another user logs in before the draft is saved.
  startSession(keyOf('desk'))
  draft.flush()
  localStorage.setItem('d:gone:admin', '{"text":"of the administrator, elsewhere"}')
  expect(draft.read()).toBeNull()
  expect(await draft.findOrphans()).toEqual([])
  endSession('logout')
  expect(draft.read()).toBeNull()
  startSession(admin)
  expect(draft.read()).toMatchObject({ text: 'of the administrator' })
  expect((await draft.findOrphans()).map(({ value }) => value.text)).toEqual([
    'of the administrator, elsewhere',
  ])
})

test('a draft of a visitor belongs to the user who logs in, beside earlier drafts of this user', async () => {
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  startSession(keyOf('desk'))
  draft.save(() => ({ text: 'before' }))
  draft.flush()
  endSession('logout')
  draft.save(() => ({ text: 'as a visitor' }))
  draft.flush()
  startSession(keyOf('desk'))
  expect(draft.read()).toMatchObject({ text: 'as a visitor' })
  expect((await draft.findOrphans()).map(({ value }) => value.text)).toEqual(['before'])
  endSession('logout')
  expect(draft.read()).toBeNull()
})

test('a draft written with a deleted key belongs to the next user who logs in', () => {
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  startSession(keyOf('desk'))
  draft.save(() => ({ text: 'by a key' }))
  draft.flush()
  endSession('key-invalid')
  expect(draft.read()).toMatchObject({ text: 'by a key' })
  startSession(admin)
  expect(draft.read()).toMatchObject({ text: 'by a key' })
  endSession('logout')
  expect(draft.read()).toBeNull()
})
