import { fsShareRoutes } from '@dropleaf/contract'
import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'
import { PICTURE } from './support/media.ts'
import { ADMIN_PASSWORD } from './support/test.ts'

/** Tests the views of a folder, and navigation between folders. */

inOppositeWorlds(({ device }) => {
  test('an empty folder shows a message, and the new files after a refresh', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await explorer.open(place)
    await expect(page.getByText(words.explorer.empty.title)).toBeVisible()
    await place.put({ 'a.txt': 'A', 'inner/': '', 'inner/b.txt': 'B' })
    await explorer.refresh()
    await expect(explorer.names).toHaveText(['inner', 'a.txt'])
    await press(explorer.link('inner'))
    await expect(explorer.names).toHaveText(['b.txt'])
  })

  test('each view shows its folder, and the chosen one is remembered with its settings', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({
      'a.png': PICTURE,
      'b.png': PICTURE,
      'c.png': PICTURE,
      'note.txt': 'words',
      'inner/': '',
    })
    await explorer.open(place)
    await expect(explorer.names).toHaveText(['inner', 'a.png', 'b.png', 'c.png', 'note.txt'])
    await expect(explorer.grid.locator('img')).toHaveCount(0)
    await explorer.show('grid')
    await expect(explorer.row('c.png').locator('img')).toBeVisible()
    await expect(explorer.link('note.txt')).toBeVisible()
    await page.reload()
    await expect(explorer.row('c.png').locator('img')).toBeVisible()
    await explorer.show('gallery')
    await expect(explorer.names).toHaveText(['inner', 'a.png', 'b.png', 'c.png'])
    await expect(page.getByText(say(words.explorer.gallery.omitted_one, { count: 1 }))).toBeVisible()

    await press(explorer.button(words.explorer.display))
    await press(explorer.item(words.explorer.gallery.settings))
    await explorer.dialog.getByLabel(words.explorer.gallery.columns).selectOption('3')
    await explorer.dialog.getByLabel(say(words.explorer.gallery.gap, { gap: 16 })).fill('4')
    await expect(explorer.dialog.getByText(say(words.explorer.gallery.gap, { gap: 4 }))).toBeVisible()
    await explorer.answer(words.common.close)
    await page.reload()
    // The first column contains the folder. The next two columns contain the pictures.
    const boxOf = async (name: string) => {
      await expect(explorer.row(name).locator('img')).toBeVisible()
      return explorer.row(name).boundingBox()
    }
    const [a, b] = [await boxOf('a.png'), await boxOf('b.png')]
    expect(Math.round((b?.x ?? 0) - (a?.x ?? 0) - (a?.width ?? 0))).toBe(4)
    expect(a?.y).toBe(b?.y)
    await press(explorer.button(words.explorer.display))
    await press(explorer.item(words.explorer.gallery.settings))
    await explorer.answer(words.explorer.gallery.reset)
    await expect(explorer.dialog.getByLabel(words.explorer.gallery.columns)).toHaveValue('0')
    await explorer.answer(words.common.close)
    await press(explorer.button(words.explorer.gallery.showList))
    await expect(explorer.link('note.txt')).toBeVisible()
    await expect(explorer.grid).toBeFocused()
  })

  test('a long name keeps its end where space is short, is announced whole, and is shown whole in the preview', async ({
    adminPage: page,
    explorer,
    place,
  }) => {
    const name = `${'picture-of-the-lake-'.repeat(10)}2_final.txt`
    await place.put({ [name]: 'long' })
    await explorer.open(place)
    for (const view of ['list', 'grid'] as const) {
      await explorer.show(view)
      await expect(explorer.link(name)).toHaveText(name)
      await expect(explorer.grid).toMatchAriaSnapshot(`- link "${name}"`)
      const end = explorer.link(name).getByText('_final.txt', { exact: true })
      await expect(end).toBeInViewport({ ratio: 1 })
    }
    await explorer.link(name).click()
    const title = page.getByRole('dialog').getByRole('heading', { name, exact: true })
    await expect(title).toBeVisible()
    expect(await title.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  })

  test('a long right-to-left name keeps the start where space is short', async ({
    adminPage: page,
    explorer,
    place,
    words,
  }) => {
    const beginning = '\u05E2\u05D1\u05E8\u05D9\u05EA'
    const name = `${beginning} ${'\u957F\u540D\u5B57'.repeat(24)}`
    await place.put({ [`${name}/`]: '' })
    await explorer.open(place)
    const seen = () =>
      explorer.link(name).evaluate((link, length) => {
        const walker = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
        const range = document.createRange()
        const text = walker.nextNode() as Text
        range.setStart(text, 0)
        range.setEnd(text, length)
        const [letters, box] = [range.getBoundingClientRect(), link.getBoundingClientRect()]
        return letters.left >= box.left && letters.right <= box.right + 1
      }, beginning.length)
    for (const view of ['list', 'grid'] as const) {
      await explorer.show(view)
      expect(await seen()).toBe(true)
    }
    await explorer.link(name).click()
    const way = page.getByRole('navigation', { name: words.explorer.path })
    await expect(way.getByRole('link', { name })).toHaveAttribute('dir', 'rtl')
  })

  test('a number in a right-to-left name is shown whole or not at all, and its extension always', async ({
    explorer,
    place,
  }) => {
    const name = `${'\u05D3\u05D5\u05D7 2026 '.repeat(20)}\u05D0\u05D2\u05DD.txt`
    await place.put({ [name]: 'long' })
    await explorer.open(place)
    for (const view of ['list', 'grid'] as const) {
      await explorer.show(view)
      await expect(explorer.link(name).getByText('.txt')).toBeInViewport({ ratio: 1 })
      await expect(explorer.link(name)).toHaveText(name)
    }
  })

  test('invisible characters of names are shown as codes, wherever the name appears', async ({
    adminPage: page,
    admin,
    explorer,
    place,
    server,
    words,
  }) => {
    const name = 'holiday\u202Egpj.exe'
    const shown = 'holidayU+202Egpj.exe'
    await place.put({ 'in\u200Bside/': '' })
    // Uses WebDAV, because multipart forms cannot transport such characters.
    const answer = await fetch(encodeURI(`${server.origin}/dav${place.path}/in\u200Bside/${name}`), {
      method: 'PUT',
      headers: { authorization: `Basic ${Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')}` },
      body: 'no picture',
    })
    expect(answer.status).toBe(201)
    const path = `${place.path}/in\u200Bside`
    await explorer.open(place)
    await expect(explorer.names).toHaveText(['inU+200Bside'])
    for (const view of ['list', 'grid'] as const) {
      await page.goto(`/mount-explorer${path}`)
      await expect(explorer.grid).toBeVisible()
      await explorer.show(view)
      await expect(explorer.names).toHaveText([shown])
    }
    await expect(page.getByRole('navigation', { name: words.explorer.path })).toContainText('inU+200Bside')
    await expect(page).toHaveTitle(/in\[U\+200B\]side/)
    await page.goto(`/mount-explorer${path}?preview=${encodeURIComponent(name)}`)
    await expect(page.getByRole('dialog').getByText('U+202E', { exact: true })).toBeVisible()
    const { data } = await admin.call(fsShareRoutes.share, { body: { path: `${path}/${name}` } })
    await page.goto(`/file/${data.slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(shown)
    await expect(page).toHaveTitle(/holiday\[U\+202E\]gpj\.exe/)
  })

  test('a long path is folded in the middle; the levels, back and forward work', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    const long = `three, ${'with a long name '.repeat(8)}`.trim()
    const levels = ['one', 'two', long, 'four', 'five']
    const folders = levels.map((_, index) => `${levels.slice(0, index + 1).join('/')}/`)
    await place.put(Object.fromEntries(folders.map((folder) => [folder, ''])))
    await place.put({ [`${levels.join('/')}/deep.txt`]: 'deep' })
    await explorer.open(place, `/${levels.join('/')}`)
    await expect(explorer.link('deep.txt')).toBeVisible()
    const path = page.getByRole('navigation', { name: words.explorer.path })
    await expect(path.getByRole('link')).toHaveCount(device === 'desktop' ? 5 : 2)
    await expect(path.locator('[aria-current="page"]')).toHaveText('five')
    if (device === 'desktop')
      await expect(page.getByRole('link', { name: words.shell.files, exact: true })).toHaveAttribute(
        'aria-current',
        'page',
      )
    await press(path.getByRole('button', { name: words.explorer.hiddenLevels }))
    await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
    await press(explorer.item('one'))
    await expect(page).toHaveURL(new RegExp(`${place.address}/one$`))
    await expect(explorer.names).toHaveText(['two'])
    await page.goBack()
    await expect(explorer.names).toHaveText(['deep.txt'])
    await page.goForward()
    await expect(explorer.names).toHaveText(['two'])
    await press(path.getByRole('link', { name: words.explorer.root }))
    await expect(explorer.link(place.path.split('/')[1] ?? '')).toBeVisible()
    await expect(path.locator('[aria-current="page"]')).toHaveText(words.explorer.root)
  })

  test('typing filters names at once', async ({ adminPage: page, explorer, place, words, press }) => {
    await place.put({ '夏天 Plan.txt': 'a', 'plan B.md': 'b', 'else.txt': 'c' })
    await explorer.open(place)
    await explorer.mark('else.txt')
    const field = page.getByRole('textbox', { name: words.explorer.filter })
    if (device === 'desktop') {
      await explorer.grid.focus()
      await page.keyboard.press('/')
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('')
    } else await field.tap()
    await page.keyboard.insertText('PLAN')
    await expect(explorer.names).toHaveCount(2)
    await page.keyboard.insertText(' 夏')
    await expect(explorer.names).toHaveText(['夏天 Plan.txt'])
    await page.keyboard.insertText('x')
    await expect(page.getByText(words.explorer.empty.filterTitle)).toBeVisible()
    await press(
      page
        .getByRole('main')
        .getByRole('status')
        .getByRole('button', { name: words.explorer.empty.filterClear }),
    )
    await expect(explorer.names).toHaveCount(3)
    await expect(explorer.marked).toHaveCount(0)
  })

  test('the order is in the address, and another folder uses the latest one', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({
      'a.txt': 'aaa',
      'b.txt': 'b',
      'c.md': 'cc',
      'inner/': '',
      'inner/x.txt': 'x',
      'inner/y.txt': 'yy',
    })
    const order = async (name: string) => {
      await press(explorer.button(words.explorer.display))
      await press(page.getByRole('menuitemradio', { name, exact: true }))
    }
    await explorer.open(place, '?sort=size&order=asc')
    await expect(explorer.names).toHaveText(['inner', 'b.txt', 'c.md', 'a.txt'])
    await order(words.explorer.order.desc)
    await expect(page).toHaveURL(/sort=size&order=desc/)
    await expect(explorer.names).toHaveText(['inner', 'a.txt', 'c.md', 'b.txt'])
    await page.reload()
    await expect(explorer.names).toHaveText(['inner', 'a.txt', 'c.md', 'b.txt'])
    await press(explorer.link('inner'))
    await expect(explorer.names).toHaveText(['y.txt', 'x.txt'])
    await explorer.open(place)
    await expect(explorer.names).toHaveText(['inner', 'a.txt', 'c.md', 'b.txt'])
    if (device === 'desktop') {
      await page.getByRole('columnheader').getByRole('button', { name: words.explorer.sort.name }).click()
      await expect(page.getByRole('columnheader', { name: words.explorer.sort.name })).toHaveAttribute(
        'aria-sort',
        'ascending',
      )
    } else {
      await order(words.explorer.sort.name)
      await order(words.explorer.order.asc)
    }
    await expect(explorer.names).toHaveText(['inner', 'a.txt', 'b.txt', 'c.md'])
  })
})
