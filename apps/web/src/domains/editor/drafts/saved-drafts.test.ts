// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import {
  forgetCurrent,
  listDrafts,
  saveDraft,
  type SavedDraft,
  sortDrafts,
  storeCurrent,
} from './saved-drafts.ts'

const DAY_MS = 24 * 3600 * 1000
const draft = (id: string, savedAtMs: number): SavedDraft => ({
  id,
  owner: 'admin',
  place: 'home',
  title: '',
  text: id,
  isMarkdown: true,
  savedAtMs,
})

test('drafts are sorted newest first, and deleted after thirty days', () => {
  const nowMs = 100 * DAY_MS
  const drafts = [draft('old', 70 * DAY_MS), draft('a', 71 * DAY_MS), draft('b', 99 * DAY_MS)]
  const { kept, gone } = sortDrafts(drafts, nowMs)
  expect(kept.map(({ id }) => id)).toEqual(['b', 'a'])
  expect(gone.map(({ id }) => id)).toEqual(['old'])
})

test('of very many drafts the oldest are deleted', () => {
  const drafts = Array.from({ length: 60 }, (_, index) => draft(String(index), 1000 + index))
  const { kept, gone } = sortDrafts(drafts, 2000)
  expect(kept).toHaveLength(50)
  expect(gone.map(({ id }) => Number(id)).every((number) => number < 10)).toBe(true)
})

test('a saved draft never takes the place of the current text of an editor', async () => {
  const text = { place: 'home', title: '', text: 'a long text', isMarkdown: true }
  expect(await storeCurrent('slot', text)).toBe(true)
  expect(await saveDraft(text)).toBe(true)
  await forgetCurrent('slot')
  expect((await listDrafts()).map((kept) => kept.text)).toEqual(['a long text'])
})
