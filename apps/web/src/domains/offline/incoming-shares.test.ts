import { expect, test } from 'vitest'
import { composeText } from './incoming-shares.ts'

const link = 'https://example.org/a'

test.each([
  [{ title: 'Title', text: 'The text', url: link }, `Title\n\nThe text\n\n${link}`],
  [{ title: '', text: `Look: ${link}`, url: link }, `Look: ${link}`],
  [{ title: 'A page', text: `A page ${link}`, url: '' }, `A page ${link}`],
  [{ title: 'Same', text: 'Same', url: '' }, 'Same'],
  [{ title: ' ', text: ' ', url: link }, link],
  [{ title: '', text: '', url: '' }, ''],
])('%o becomes one text', (share, text) => {
  expect(composeText(share)).toBe(text)
})
