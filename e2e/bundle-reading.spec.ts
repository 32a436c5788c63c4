import { bundleReadingRoutes, fsTransferRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { makeBundle, openByProgram, picture, publish, viewsOf } from './support/bundles.ts'
import { holdByMouse, holdByTouch, openButton } from './support/opening.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

const RED = picture([200, 40, 40])
const GREEN = picture([40, 160, 70])
const LONG = `${'a very long name that does not fit on any phone '.repeat(4)}.txt`

const PAGE = `# Trip to the lake

Read this first. ![The shore](pics/shore.png)

The [notes](notes.txt) and the [pictures](pics/).
`

const rowNamed = (page: Page, name: string) => page.getByRole('row', { name }).first()
const nameIn = (page: Page, name: string) => rowNamed(page, name).getByText(name, { exact: true })

/** Runs an action that starts a download. @returns the name and the contents of the downloaded file */
async function downloadBy(page: Page, act: () => Promise<unknown>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), text: await readAll(await download.createReadStream()) }
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts).toString('latin1')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

const crumbs = (page: Page, { explorer }: Words) => page.getByRole('navigation', { name: explorer.path })

inOppositeWorlds(({ device }) => {
  const hold = device === 'phone' ? holdByTouch : holdByMouse

  test('a reader sees the text with its pictures, opens a folder and a file, and comes back', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
    press,
  }) => {
    const maker = { admin, adminToken, baseURL }
    const bundle = await makeBundle(maker, {
      title: 'Summer',
      page: PAGE,
      share: { remark: 'For the family' },
      files: { 'notes.txt': 'the notes', 'pics/shore.png': RED, 'pics/2026/hill.png': GREEN, [LONG]: 'x' },
    })
    await page.goto(bundle.address)
    await expect(heading(page, 'Summer')).toBeVisible()
    await expect(page.getByText('For the family')).toHaveCount(0)
    const shore = page.locator('#root').getByAltText('The shore')
    await expect.poll(() => shore.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(320)
    await expect(rowNamed(page, 'notes.txt')).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, 'a bundle', { isOnPhoneToo: true })
    await press(page.getByRole('link', { name: 'pictures' }))
    await expect(crumbs(page, words)).toContainText('pics')
    await expect(rowNamed(page, 'shore.png')).toBeVisible()
    await press(nameIn(page, '2026'))
    await expect(rowNamed(page, 'hill.png')).toBeVisible()
    await press(nameIn(page, 'hill.png'))
    const cover = page.getByRole('dialog', { name: 'hill.png' })
    await expect(cover.getByRole('img', { name: 'hill.png' })).toBeVisible()
    await expectAccessible(page, 'a picture of a bundle')
    await page.reload()
    await expect(cover.getByRole('img', { name: 'hill.png' })).toBeVisible()
    await page.goBack()
    await expect(cover).toBeHidden()
    await page.goBack()
    await expect(rowNamed(page, 'shore.png')).toBeVisible()
    await page.goBack()
    await expect(heading(page, 'Summer')).toBeVisible()
    expect(await viewsOf(maker, bundle)).toBe(1)
  })

  test('several marked items and the whole bundle come as archives, a file as it is', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
    press,
  }) => {
    const bundle = await makeBundle(
      { admin, adminToken, baseURL },
      { title: 'Papers', files: { 'a.txt': 'alpha', 'b.txt': 'beta', 'c/d.txt': 'delta' } },
    )
    await page.goto(bundle.address)
    const whole = await downloadBy(page, () =>
      press(page.getByRole('button', { name: words.bundle.downloadAll })),
    )
    expect(whole.name).toBe('Papers.zip')
    for (const name of ['a.txt', 'b.txt', 'c/d.txt']) expect(whole.text).toContain(name)
    const mark = (name: string) =>
      page.getByRole('checkbox', { name: say(words.explorer.selectOne, { name }) })
    await press(mark('a.txt'))
    const bar = page.getByRole('toolbar', { name: words.explorer.selectionTools })
    const download = bar.getByRole('button', { name: words.explorer.command.download })
    const one = await downloadBy(page, () => press(download))
    expect(one).toEqual({ name: 'a.txt', text: 'alpha' })
    await press(mark('c'))
    const some = await downloadBy(page, () => press(download))
    expect([some.text.includes('a.txt'), some.text.includes('c/d.txt'), some.text.includes('b.txt')]).toEqual(
      [true, true, false],
    )
  })

  test('a live folder is listed, searched and sorted; what is gone says so', async ({
    page,
    admin,
    adminToken,
    baseURL,
    place,
    words,
    press,
  }) => {
    const { bundle: texts } = words
    await place.put({
      'deep/': '',
      'deep/needle.txt': 'found',
      'b.txt': 'bb',
      'a.txt': 'a',
      'pinned.txt': 'p',
    })
    const bundle = await makeBundle(
      { admin, adminToken, baseURL },
      {
        title: 'Live',
        folders: { shared: place.path },
        references: { 'linked.txt': `${place.path}/pinned.txt` },
      },
    )
    await page.goto(bundle.address)
    await press(nameIn(page, 'shared'))
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    await place.put({ 'new.txt': 'later' })
    const field = page.getByRole('textbox', { name: texts.searchIn })
    await field.fill('needle')
    await press(rowNamed(page, 'deep/needle.txt').getByText('deep/needle.txt'))
    await expect(page.getByRole('dialog').getByText('found')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(rowNamed(page, 'deep/needle.txt')).toBeVisible()
    await field.fill('nothing like it')
    await expect(page.getByText(texts.nothingFound)).toBeVisible()
    await press(page.getByRole('button', { name: texts.clearSearch }).last())
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    await press(crumbs(page, words).getByRole('link').first())
    await admin.call(fsTransferRoutes.batchRemove, { body: { paths: [`${place.path}/pinned.txt`] } })
    await press(nameIn(page, 'linked.txt'))
    await expect(page.getByText(texts.goneTitle)).toBeVisible()
    await expectAccessible(page, 'an item that is gone')
  })

  test('the list works by keys alone, and its view is remembered', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
  }) => {
    const bundle = await makeBundle(
      { admin, adminToken, baseURL },
      { title: 'Keys', files: { 'x.png': RED, 'y.png': GREEN, 'z/deep.txt': 'deep' } },
    )
    await page.goto(bundle.address)
    const grid = page.getByRole('grid')
    await grid.focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(rowNamed(page, 'deep.txt')).toBeVisible()
    await page.keyboard.press('Backspace')
    await expect(rowNamed(page, 'x.png')).toBeVisible()
    await grid.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'y.png' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('dialog', { name: 'x.png' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: words.bundle.gallery }).press('Enter')
    await expect(rowNamed(page, 'x.png').locator('img')).toBeVisible()
    await expectAccessible(page, 'the gallery of a bundle', { isOnPhoneToo: true })
    await page.reload()
    await expect(rowNamed(page, 'x.png').locator('img')).toBeVisible()
  })

  test('one file alone looks like the page of a file', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
  }) => {
    const bundle = await makeBundle({ admin, adminToken, baseURL }, { files: { 'report.txt': 'the report' } })
    await page.goto(bundle.address)
    await expect(heading(page, 'report.txt')).toBeVisible()
    await expect(page.getByText('the report')).toBeVisible()
    await expect(page.getByRole('grid')).toHaveCount(0)
    const saved = await downloadBy(page, () =>
      page.getByRole('link', { name: words.files.view.download }).click(),
    )
    expect(saved).toEqual({ name: 'report.txt', text: 'the report' })
    await expectAccessible(page, 'a bundle of one file', { isOnPhoneToo: true })
  })

  test('a password, and a view limit that asks, are answered before anything is shown', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
  }) => {
    const maker = { admin, adminToken, baseURL }
    const files = { 'secret.txt': 'hush', 'other.txt': 'x' }
    const locked = await makeBundle(maker, { title: 'Locked', files, share: { password: 'sesame' } })
    await page.goto(locked.address)
    await page.getByLabel(words.bundle.locked.password, { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByText(words.errors.bundle.password_wrong)).toBeVisible()
    await expectAccessible(page, 'a locked bundle', { isOnPhoneToo: true })
    await page.getByLabel(words.bundle.locked.password, { exact: true }).fill('sesame')
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Locked')).toBeVisible()
    await page.reload()
    await expect(heading(page, 'Locked')).toBeVisible()
    expect(await viewsOf(maker, locked)).toBe(1)

    const limited = await makeBundle(maker, { title: 'Burnt', files, share: { max_views: 1 } })
    await page.goto(limited.address)
    await expect(heading(page, `${words.opening.bundle} ${words.opening.once}`)).toBeVisible()
    await expect(page.getByText('Burnt')).toHaveCount(0)
    expect(await viewsOf(maker, limited)).toBe(0)
    await hold(page, openButton(page, words.opening.open))
    await expect(heading(page, 'Burnt')).toBeVisible()
    await page.reload()
    await expect(heading(page, 'Burnt')).toBeVisible()
    expect(await viewsOf(maker, limited)).toBe(1)
    await page.evaluate(() => {
      sessionStorage.clear()
      indexedDB.deleteDatabase('dropleaf-opening')
    })
    await page.reload()
    await expect(page.getByText(words.opening.endedBundle)).toBeVisible()
    await page.goto('/s/no-such-bundle')
    await expect(heading(page, words.bundle.gone.notFoundTitle)).toBeVisible()
  })

  test('an open page says when there is a newer revision, and stays where it is', async ({
    page,
    admin,
    adminToken,
    baseURL,
    words,
    press,
  }) => {
    const maker = { admin, adminToken, baseURL }
    const bundle = await makeBundle(maker, { title: 'First', page: 'one', files: { 'a.txt': 'a' } })
    await page.clock.install()
    await page.goto(bundle.address)
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    await publish(maker, bundle, {
      options: { title: 'Second', page: 'two', files: { 'b.txt': 'b' } },
      expected: 1,
      first: 5,
    })
    await page.clock.fastForward(61_000)
    await expect(page.getByText(words.bundle.newer)).toBeVisible()
    await expect(heading(page, 'First')).toBeVisible()
    await press(page.getByRole('button', { name: words.bundle.reload }))
    await expect(heading(page, 'Second')).toBeVisible()
    await expect(rowNamed(page, 'b.txt')).toBeVisible()
    await expect(page.getByText(words.bundle.newer)).toHaveCount(0)
  })

  test('a reload shows what was published since', async ({ page, admin, adminToken, baseURL, words }) => {
    const maker = { admin, adminToken, baseURL }
    const bundle = await makeBundle(maker, {
      title: 'First',
      page: 'one',
      share: { max_views: 9, opening: 'direct' },
    })
    const free = await makeBundle(maker, { title: 'First', page: 'one' })
    for (const { address } of [bundle, free]) {
      await page.goto(address)
      await expect(heading(page, 'First')).toBeVisible()
    }
    for (const one of [bundle, free])
      await publish(maker, one, { options: { title: 'Second', page: 'two' }, expected: 1 })
    await page.reload()
    await expect(heading(page, 'Second')).toBeVisible()
    // With a view limit, the reader decides whether to use a view.
    await page.goto(bundle.address)
    await expect(heading(page, 'First')).toBeVisible()
    await expect(page.getByText(words.bundle.newerCounts)).toBeVisible()
    expect(await viewsOf(maker, bundle)).toBe(1)
  })

  test('an ended ticket opens the bundle anew', async ({ page, admin, adminToken, baseURL }) => {
    const maker = { admin, adminToken, baseURL }
    const bundle = await makeBundle(maker, { title: 'Again', files: { 'a.txt': 'a', 'b.txt': 'b' } })
    await page.goto(bundle.address)
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    await page.evaluate(() => {
      for (const key of Object.keys(sessionStorage))
        sessionStorage.setItem(key, JSON.stringify({ ticket: '1.1.x', revision: 1 }))
    })
    await page.reload()
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    expect(await viewsOf(maker, bundle)).toBe(2)
  })

  test('a failed list has a way to try again, and a page without a network says so', async ({
    page,
    admin,
    adminToken,
    baseURL,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'a' })
    const bundle = await makeBundle(
      { admin, adminToken, baseURL },
      { title: 'Shaky', folders: { live: place.path } },
    )
    const lists = `**${bundleReadingRoutes.list.path.replace(':slug', bundle.slug)}?**`
    await page.route(lists, (route) => route.fulfill({ status: 500, body: 'no' }))
    await page.goto(`${bundle.address}?at=/live/`)
    await expect(page.getByText(words.bundle.listFailed)).toBeVisible()
    await expectAccessible(page, 'a folder that failed')
    await page.unroute(lists)
    await press(page.getByRole('button', { name: words.common.retry }))
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
    await page.route(`**/api/bundles/${bundle.slug}/opened?**`, (route) => route.abort())
    await page.reload()
    await expect(heading(page, words.bundle.gone.failedTitle)).toBeVisible()
    await page.unrouteAll()
    await press(page.getByRole('button', { name: words.common.retry }))
    await expect(rowNamed(page, 'a.txt')).toBeVisible()
  })
})

test('the text is on the screen before the app has loaded', async ({ page, admin, adminToken, baseURL }) => {
  const bundle = await makeBundle(
    { admin, adminToken, baseURL },
    { title: 'Early', page: PAGE, files: { 'notes.txt': 'the notes', 'pics/shore.png': RED } },
  )
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(bundle.address, { waitUntil: 'commit' })
  await expect(heading(page, 'Early')).toBeVisible()
  await expect(page.getByText('Read this first.')).toBeVisible()
  const link = page.locator('#early').getByRole('link', { name: 'notes.txt' })
  await expect(link).toHaveAttribute('href', /\/file\?ticket=.*path=notes\.txt/)
  const before = await page.getByText('Read this first.').boundingBox()
  release()
  await expect(rowNamed(page, 'notes.txt')).toBeVisible()
  await expect(page.locator('#early')).toHaveCount(0)
  const after = await page.getByText('Read this first.').boundingBox()
  expect(after?.y).toBe(before?.y)
})

test('a program and a page count as two openings', async ({ page, admin, adminToken, baseURL }) => {
  const maker = { admin, adminToken, baseURL }
  const bundle = await makeBundle(maker, { title: 'Two', files: { 'a.txt': 'a', 'b.txt': 'b' } })
  await openByProgram(maker, bundle)
  await page.goto(bundle.address)
  await expect(rowNamed(page, 'a.txt')).toBeVisible()
  expect(await viewsOf(maker, bundle)).toBe(2)
})
