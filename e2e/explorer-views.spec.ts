import { expect, inEachWorld, say, test } from './support/worlds.ts'

/** Ways to look at a folder. */

inEachWorld(() => {
  test('an empty folder says so, and shows what was put there once it is refreshed', async ({
    adminPage: page,
    place,
    words,
    press,
  }) => {
    await page.goto(place.address)
    await expect(page.getByText(words.explorer.empty.title)).toBeVisible()
    await place.put({ 'a.txt': 'A', 'inner/': '', 'inner/b.txt': 'B' })
    await press(page.getByRole('button', { name: words.explorer.refresh }))
    await expect(page.getByRole('link', { name: 'a.txt' })).toBeVisible()
    await expect(
      page.getByRole('checkbox', { name: say(words.explorer.selectOne, { name: 'a.txt' }) }),
    ).toBeVisible()
    await press(page.getByRole('link', { name: 'inner' }))
    await expect(page.getByRole('link', { name: 'b.txt' })).toBeVisible()
  })
})
