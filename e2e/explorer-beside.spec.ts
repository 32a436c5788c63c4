import { expect, inOppositeWorlds, test } from './support/explorer.ts'
import { PICTURE } from './support/media.ts'

/** Tests texts that refer to other files in their folder. */

const NOTES = `# Notes

![red](img/red.png)

![encoded](./img/%E7%BA%A2%20%E5%9B%BE.png)

![bare](<img/红 图.png>)

<img src="img/red.png" alt="sized" width="20">

![gone](img/none.png)

![outside](../../../../etc/none.png)

[other](sub/other.md), [up](../), [down](#far-below)

${'words\n\n'.repeat(80)}
## Far below

The end.`

inOppositeWorlds(({ device }) => {
  test('pictures and links of a Markdown file refer to the files beside it', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({
      'docs/notes.md': NOTES,
      'docs/img/red.png': PICTURE,
      'docs/img/红 图.png': PICTURE,
      'docs/sub/other.md': '# The other one\n\n[back](../notes.md)',
    })
    const strays: string[] = []
    page.on('request', (request) => {
      if (/\/mount-explorer\/.*\.png/.test(request.url())) strays.push(request.url())
    })
    await page.goto(`${place.address}/docs?preview=notes.md`)
    const cover = page.getByRole('dialog')
    const widthOf = (name: string) =>
      cover.locator(`img[alt="${name}"]`).evaluate((image: HTMLImageElement) => image.naturalWidth)
    for (const name of ['red', 'encoded', 'bare', 'sized']) await expect.poll(() => widthOf(name)).toBe(48)
    expect(await cover.locator('img[alt="sized"]').evaluate((image) => image.clientWidth)).toBe(20)
    await expect(cover.getByRole('img', { name: 'gone' })).not.toHaveAttribute('src')
    expect(strays).toEqual([])

    await press(cover.getByRole('link', { name: 'down' }))
    await expect(cover.getByText('The end.')).toBeInViewport()
    await expect(cover).toHaveAccessibleName('notes.md')
    await press(cover.getByRole('link', { name: 'other' }))
    await expect(cover.getByRole('heading', { name: 'The other one', exact: true })).toBeVisible()
    await expect(page).toHaveURL(/\/docs\/sub\?.*preview=other\.md/)
    await press(cover.getByRole('link', { name: 'back' }))
    await expect(cover.getByRole('heading', { name: 'Notes', exact: true })).toBeVisible()
    await press(cover.getByRole('link', { name: 'up' }))
    await expect(cover).toHaveCount(0)
    await expect(explorer.link('docs')).toBeVisible()

    if (device === 'phone') return
    await page.goto(`${place.address}/docs?preview=notes.md`)
    await press(cover.getByRole('button', { name: words.explorer.edit.open }))
    await press(page.getByRole('button', { name: words.editor.modes.preview, exact: true }))
    await expect.poll(() => widthOf('red')).toBe(48)
  })
})
