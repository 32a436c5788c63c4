import { expect, test } from './support/explorer.ts'

/** What is heard by somebody who does not see what appears, and where the keyboard is then. */

test('a notice is read alone, without those that were there before', async ({ adminPage: page, words }) => {
  await page.goto('/admin/settings')
  const field = page.getByLabel(words.settings.uploads.maxSize)
  for (const size of ['101', '102']) {
    await field.fill(size)
    await field.press('Enter')
    await expect(page.getByRole('status').filter({ hasText: words.settings.saved })).toHaveAttribute(
      'aria-atomic',
      'false',
    )
  }
})
