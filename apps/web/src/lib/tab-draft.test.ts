// @vitest-environment jsdom
import { beforeEach, expect, test } from 'vitest'
import { createTabDraft } from './tab-draft.ts'

const tab = { id: () => 'mine', findOthers: async () => new Set(['living']) }

interface Text {
  readonly text: string
}
const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'text' in value

beforeEach(() => localStorage.clear())

test('a draft is that of its tab, and what living tabs write is left alone', async () => {
  localStorage.setItem('d:living', '{"text":"theirs","savedAtMs":5}')
  const draft = createTabDraft({ name: 'd', isValid: isText, tab })
  expect(draft.read()).toBeNull()
  draft.save(() => ({ text: 'mine' }))
  draft.flush()
  expect(draft.read()).toMatchObject({ text: 'mine' })
  expect(localStorage.getItem('d:living')).toContain('theirs')
  expect(await draft.findOrphans()).toEqual([])
})

test('what tabs have left behind is found, the latest first, and goes when it was taken', async () => {
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
