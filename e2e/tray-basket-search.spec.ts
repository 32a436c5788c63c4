import { execFile } from 'node:child_process'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fsTransferRoutes, storageConfigRoutes } from '@dropleaf/contract'
import type { Locator, Page } from '@playwright/test'
import { isWiderThanScreen } from './support/pages.ts'
import {
  bytesOf,
  doneNotice,
  holdLine,
  MIB,
  openTray,
  patternOf,
  payload,
  sendFiles,
  trayOf,
} from './support/uploading.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

const run = promisify(execFile)

/** Returns the files of an archive with their content. */
async function membersOf(archive: string): Promise<Record<string, string>> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const { stdout } = await run('unzip', ['-Z1', archive], { env })
  const names = stdout.split('\n').filter((name) => name !== '' && !name.endsWith('/'))
  const entries = await Promise.all(
    names.map(async (name) => [name, (await run('unzip', ['-p', archive, name], { env })).stdout] as const),
  )
  return Object.fromEntries(entries)
}

/** Replaces the file picker. Archives are saved to a file in the browser's own storage, where the test reads them. */
const withFilePicker = (page: Page) =>
  page.addInitScript(() => {
    const showSaveFilePicker = async () =>
      (await navigator.storage.getDirectory()).getFileHandle('archive.zip', { create: true })
    Object.assign(window, { showSaveFilePicker })
  })
/** Keeps the file picker open until `letPick` is called. */
const holdFilePicker = (page: Page) =>
  page.evaluate(() => {
    const { showSaveFilePicker } = window as unknown as { showSaveFilePicker: () => Promise<unknown> }
    const gate = Promise.withResolvers<void>()
    const held = async () => {
      await gate.promise
      return showSaveFilePicker()
    }
    Object.assign(window, { letPick: gate.resolve, showSaveFilePicker: held })
  })
const withoutFilePicker = (page: Page) =>
  page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))

async function readSaved(page: Page, file: string): Promise<string> {
  const numbers = await page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const saved = await (await root.getFileHandle('archive.zip')).getFile()
    return [...new Uint8Array(await saved.arrayBuffer())]
  })
  await writeFile(file, Uint8Array.from(numbers))
  return file
}

inOppositeWorlds((world) => {
  const isDesktop = world.device === 'desktop'

  async function openSearch(
    page: Page,
    words: { search: { open: string; title: string } },
  ): Promise<Locator> {
    const button = page.getByRole('button', { name: words.search.open })
    // Waits for the button, because shortcuts work only after the button is visible.
    await expect(button).toBeVisible()
    if (isDesktop) await page.keyboard.press('Control+k')
    else await button.click()
    return page.getByRole('dialog', { name: words.search.title, exact: true })
  }

  test('the tray shows uploads and the files on every page and after a reload, and cancels them', async ({
    adminPage: page,
    words,
    place,
  }) => {
    await page.goto(place.address)
    const line = await holdLine(page)
    line.state = 'hold'
    const title = say(words.tasks.uploadsTo, { count: 2 })
    await sendFiles(page, words, {
      files: [payload('one.bin', bytesOf(6 * MIB, 'one')), payload('two.bin', bytesOf(6 * MIB, 'two'))],
      method: 'multipart',
    })
    const { button, panel } = trayOf(page, words)
    await expect(button).toHaveAccessibleName(patternOf(words.tasks.openBusy, { count: 2 }))
    await page.getByRole('link', { name: 'Dropleaf' }).first().click()
    await openTray(page, words)
    const active = panel.getByRole('list', { name: words.tasks.active })
    await expect(active.getByText(title)).toBeVisible()
    await panel.getByRole('button', { name: say(words.tasks.details, { name: title }) }).click()
    const line1 = panel.getByRole('listitem').filter({ hasText: 'one.bin' }).last()
    await expect(line1).toContainText(words.tasks.state.uploading)
    expect(await isWiderThanScreen(page)).toBe(false)
    await line1.getByRole('button', { name: say(words.tasks.pause, { name: 'one.bin' }) }).click()
    await expect(line1).toContainText(words.tasks.state.paused)

    page.once('dialog', (leaving) => void leaving.accept())
    await page.reload()
    await expect(button).toHaveAccessibleName(patternOf(words.tasks.openProblem_other, { count: 2 }))
    await openTray(page, words)
    await expect(panel.getByText(say(words.tasks.needsFilesHint, { count: 2 }))).toBeVisible()
    await panel.getByRole('button', { name: say(words.tasks.cancel, { name: title }) }).click()
    await expect(panel.getByText(say(words.tasks.summary.cancelled, { count: 2 }))).toBeVisible()
    await panel.getByRole('button', { name: words.tasks.clearEnded }).click()
    await expect(panel.getByText(title)).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await expect(button).toBeFocused()
  })

  test('a pause, a lost network and a cancellation are announced, and the focus stays', async ({
    adminPage: page,
    words,
    place,
  }) => {
    await page.goto(place.address)
    const line = await holdLine(page)
    line.state = 'hold'
    const content = bytesOf(6 * MIB, 'paused')
    await sendFiles(page, words, { files: [payload('held.bin', content)], method: 'multipart' })
    const { button, panel } = trayOf(page, words)
    await openTray(page, words)
    const tool = (label: string) => panel.getByRole('button', { name: say(label, { name: 'held.bin' }) })
    const listed = (group: string) =>
      panel.getByRole('list', { name: group, exact: true }).filter({ hasText: 'held.bin' })

    await page.context().setOffline(true)
    await expect(panel.getByText(words.tasks.state.offline)).toBeVisible()
    // A notice at the bottom must not cover the task panel.
    const lower = await page.getByText(words.shell.offline, { exact: true }).boundingBox()
    const tray = await panel.boundingBox()
    expect((tray?.y ?? 0) + (tray?.height ?? 0)).toBeLessThanOrEqual(lower?.y ?? 0)
    await page.context().setOffline(false)
    await expect(panel.getByText(words.tasks.state.offline)).toBeHidden()

    await tool(words.tasks.pause).press('Enter')
    await expect(listed(words.tasks.paused)).toBeVisible()
    await expect(tool(words.tasks.resume)).toBeFocused()
    await expect(button).toHaveAccessibleName(say(words.tasks.openPaused, { count: 1 }))
    await page.keyboard.press('Enter')
    await expect(listed(words.tasks.active)).toBeVisible()
    await expect(tool(words.tasks.pause)).toBeFocused()
    await tool(words.tasks.cancel).press('Enter')
    await expect(listed(words.tasks.ended)).toBeVisible()
    await expect(tool(words.tasks.forget)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(panel.getByText('held.bin')).toBeHidden()
    // The focus is on the panel itself, or on an entry that another test has left in the panel.
    await expect.poll(() => panel.evaluate((shown) => shown.contains(document.activeElement))).toBe(true)
  })

  test('the basket collects from the folder and the search, and creates one complete archive', async ({
    adminPage: page,
    words,
    place,
  }, testInfo) => {
    await (isDesktop ? withFilePicker(page) : withoutFilePicker(page))
    const unique = `篮-${place.name}`
    await place.put({
      'a.txt': 'one',
      '信/': '',
      '信/b.txt': 'two',
      'deep/': '',
      [`deep/${unique}.txt`]: 'three',
    })
    await page.goto(place.address)
    for (const name of ['a.txt', '信']) {
      const row = page.getByRole('row').filter({ hasText: name })
      if (isDesktop) await row.click({ button: 'right' })
      else await row.getByRole('button', { name: patternOf(words.explorer.actionsOf) }).click()
      await page.getByRole('menuitem', { name: words.explorer.command.basket }).click()
    }
    const search = await openSearch(page, words)
    await search.getByRole('combobox').fill(unique)
    await expect(search.getByRole('option')).toHaveCount(1)
    await search.getByRole('button', { name: say(words.search.toBasket, { name: `${unique}.txt` }) }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('button', { name: say(words.basket.open_other, { count: 3 }) }).click()
    const dialog = page.getByRole('dialog', { name: words.basket.title, exact: true })
    await expect(dialog.getByRole('region', { name: place.path, exact: true })).toBeVisible()
    await expect(dialog.getByLabel(words.basket.packer)).toHaveValue('server')
    expect(await isWiderThanScreen(page)).toBe(false)
    const wanted = { 'a.txt': 'one', '信/b.txt': 'two', [`${unique}.txt`]: 'three' }
    const saved = async () => {
      const pack = dialog.getByRole('button', { name: words.basket.pack, exact: true })
      if (!isDesktop) {
        const [download] = await Promise.all([page.waitForEvent('download'), pack.click()])
        return download.path()
      }
      await pack.click()
      await expect(dialog.getByText(patternOf(words.basket.stages.completed)).last()).toBeVisible()
      return readSaved(page, testInfo.outputPath('saved.zip'))
    }
    expect(await membersOf(await saved())).toEqual(wanted)
    if (isDesktop) {
      // If the server packs, the basket is emptied only with a file picker. Without one, the page cannot observe that
      // everything is saved.
      await expect(dialog.getByText(words.basket.empty, { exact: true })).toBeVisible()
      return
    }
    await expect(dialog.getByText(words.basket.handedOver)).toBeVisible()
    await dialog.getByLabel(words.basket.packer).selectOption('browser')
    expect(await membersOf(await saved())).toEqual(wanted)
    await expect(dialog.getByText(words.basket.empty, { exact: true })).toBeVisible()
  })

  test('files missing from an archive are named and stay in the basket, for both ways of packing', async ({
    adminPage: page,
    admin,
    words,
    place,
  }, testInfo) => {
    await withFilePicker(page)
    await place.put({ 'here.txt': 'here', 'gone.txt': 'gone', 'also.txt': 'also' })
    await page.goto(place.address)
    const items = ['here.txt', 'gone.txt', 'also.txt'].map((name) => ({
      path: `${place.path}/${name}`,
      name,
      size: 4,
      isDirectory: false,
    }))
    await page.evaluate((all) => {
      localStorage.setItem('dropleaf-basket', JSON.stringify({ owner: 'admin', items: all }))
    }, items)
    await admin.call(fsTransferRoutes.batchRemove, { body: { paths: [`${place.path}/gone.txt`] } })
    await page.reload()
    await page.getByRole('button', { name: say(words.basket.open_other, { count: 3 }) }).click()
    const dialog = page.getByRole('dialog', { name: words.basket.title, exact: true })
    const packer = isDesktop ? 'server' : 'browser'
    await dialog.getByLabel(words.basket.packer).selectOption(packer)
    await holdFilePicker(page)
    await dialog.getByRole('button', { name: words.basket.pack, exact: true }).click()
    await expect(dialog.getByText(patternOf(words.basket.stages.choosing))).toBeVisible()
    await page.evaluate(() => (window as unknown as { letPick: () => void }).letPick())
    await expect(dialog.getByText(say(words.basket.missing_one, { count: 1 }))).toBeVisible()
    await expect(dialog.getByText(`${place.path}/gone.txt: `)).toBeVisible()
    await expect(
      dialog.getByRole('button', { name: say(words.basket.remove, { name: 'gone.txt' }) }),
    ).toBeVisible()
    await expect(
      dialog.getByRole('button', { name: say(words.basket.remove, { name: 'here.txt' }) }),
    ).toBeHidden()
    const members = await membersOf(await readSaved(page, testInfo.outputPath('part.zip')))
    expect(members).toMatchObject({ 'here.txt': 'here', 'also.txt': 'also' })
    expect(Object.keys(members)).not.toContain('gone.txt')
    await page.keyboard.press('Escape')
    const panel = await openTray(page, words)
    await expect(panel.getByText(patternOf(words.tasks.job.pack))).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('packing in the browser shows a warning from 100 MB on, and a stronger one from 500 MB', async ({
    adminPage: page,
    admin,
    server,
    words,
    place,
  }) => {
    await (isDesktop ? withFilePicker(page) : withoutFilePicker(page))
    const sizes = { 'large.bin': 101 * MIB, 'huge.bin': 420 * MIB }
    for (const name of Object.keys(sizes)) await place.put({ [name]: 'x' })
    if (world.storage === 'disk') {
      const { data } = await admin.call(storageConfigRoutes.list)
      const disk = data.find((config) => config.provider_type === 'Local disk')
      for (const [name, size] of Object.entries(sizes))
        await truncate(join(server.dataDirectory, 'storage', disk?.bucket_name ?? '', place.name, name), size)
    } else {
      // Replaces the sizes in the listing, because a bucket has no sparse files.
      await page.route('**/api/fs/list?**', async (route) => {
        const answer = await route.fetch()
        const body = (await answer.json()) as { data: { items: { name: string; size: number }[] } }
        for (const item of body.data.items) item.size = sizes[item.name as keyof typeof sizes] ?? item.size
        await route.fulfill({ response: answer, json: body })
      })
    }
    await page.goto(place.address)
    await page.getByRole('button', { name: words.explorer.refresh, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: words.basket.title, exact: true })
    const look = async (name: string, basketLabel: string) => {
      const row = page.getByRole('row').filter({ hasText: name })
      await expect(row).toContainText(name === 'large.bin' ? '101 MB' : '420 MB')
      if (isDesktop) await row.click({ button: 'right' })
      else await row.getByRole('button', { name: patternOf(words.explorer.actionsOf) }).click()
      await page.getByRole('menuitem', { name: words.explorer.command.basket }).click()
      await page.getByRole('button', { name: basketLabel }).click()
      // An archive created by the server needs no warning.
      const { large, huge, memory } = words.basket.risk
      for (const risk of [large, huge, memory]) await expect(dialog.getByText(patternOf(risk))).toBeHidden()
      await dialog.getByLabel(words.basket.packer).selectOption('browser')
    }
    await look('large.bin', say(words.basket.open_one, { count: 1 }))
    await expect(dialog.getByText(say(words.basket.risk.large, { size: '101 MB' }))).toBeVisible()
    await page.keyboard.press('Escape')
    await look('huge.bin', say(words.basket.open_other, { count: 2 }))
    const risk = isDesktop ? words.basket.risk.huge : words.basket.risk.memory
    await expect(dialog.getByText(say(risk, { size: '521 MB' }))).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('search works in the folder, the mount and everywhere, also by keyboard, and remembers', async ({
    adminPage: page,
    words,
    place,
  }) => {
    const key = place.name.slice(-8)
    const nasty = `<img src=x onerror=alert(1)> ${key}.txt`
    const many = Array.from({ length: 55 }, (_, index) => `many/${key}-${String(index).padStart(2, '0')}.txt`)
    await place.put({
      'inside/': '',
      [`inside/${nasty}`]: 'nasty',
      [`beside ${key}.txt`]: 'beside',
      'many/': '',
      ...Object.fromEntries(many.map((name) => [name, 'm'])),
    })
    const asked: URL[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/fs/search')) asked.push(new URL(request.url()))
    })
    let isAlerted = false
    page.on('dialog', (dialog) => {
      isAlerted = true
      void dialog.dismiss()
    })
    await page.goto(`${place.address}/inside`)
    await expect(page.getByRole('row').filter({ hasText: key })).toBeVisible()
    const dialog = await openSearch(page, words)
    const field = dialog.getByRole('combobox')
    const options = dialog.getByRole('option')
    const scope = (name: 'directory' | 'mount' | 'global') =>
      dialog.getByText(words.search.scopes[name], { exact: true }).click()
    await field.fill(key.slice(0, 1))
    await expect(dialog.getByText(say(words.search.tooShort, { count: 2 }))).toBeVisible()
    expect(asked).toEqual([])
    await field.clear()
    await field.pressSequentially(`onerror=alert(1)> ${key}`)
    await expect(options).toHaveCount(1)
    // Some keystrokes must send no request.
    expect(asked.length).toBeLessThan(6)
    await expect(options.first()).toContainText(nasty)
    await expect(dialog.locator('mark')).toHaveText(`onerror=alert(1)> ${key}`)
    await expect(dialog.locator('[role=option] img')).toHaveCount(0)
    await field.fill(key.toUpperCase())
    await expect(options).toHaveCount(1)
    await scope('mount')
    await expect(options).toHaveCount(50)
    await scope('global')
    await expect(options).toHaveCount(50)
    await dialog.getByRole('button', { name: words.search.more, exact: true }).click()
    await expect(options).toHaveCount(57)
    expect(asked.map(({ searchParams }) => searchParams.get('scope'))).toEqual(
      expect.arrayContaining(['directory', 'mount', 'global']),
    )
    expect(await isWiderThanScreen(page)).toBe(false)
    await field.fill(`beside ${key}`)
    await expect(options).toHaveCount(1)
    await field.fill(`no such ${key}`)
    await expect(dialog.getByText(words.search.nothing)).toBeVisible()
    await field.fill(`${key}-0`)
    await expect(options).toHaveCount(10)
    if (isDesktop) {
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
      await page.keyboard.press('Enter')
    } else {
      await options.nth(1).tap()
    }
    await expect(page).toHaveURL(new RegExp(`/${place.name}/many\\?preview=`))
    await expect(page.getByText('m', { exact: true }).first()).toBeVisible()
    await page.goto(place.address)
    await openSearch(page, words)
    await dialog.getByRole('button', { name: `${key}-0`, exact: true }).click()
    await expect(options).toHaveCount(10)
    expect(isAlerted).toBe(false)
  })

  test('search reports a storage whose index is incomplete', async ({ adminPage: page, words, place }) => {
    await place.put({ 'indexed.txt': 'x' })
    await page.route('**/api/fs/search?**', async (route) => {
      const answer = await route.fetch()
      const body = (await answer.json()) as { data: { complete: boolean } }
      body.data.complete = new URL(route.request().url()).searchParams.get('q') !== 'indexed'
      await route.fulfill({ response: answer, json: body })
    })
    await page.goto(place.address)
    await expect(page.getByRole('row').filter({ hasText: 'indexed.txt' })).toBeVisible()
    const dialog = await openSearch(page, words)
    await dialog.getByRole('combobox').fill('indexed')
    await expect(dialog.getByText(words.search.incomplete)).toBeVisible()
    await dialog.getByRole('combobox').fill('indexed.txt')
    await expect(dialog.getByRole('option')).toHaveCount(1)
    await expect(dialog.getByText(words.search.incomplete)).toBeHidden()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  test('a small file interrupted by a reload is requested by name, and resumes on any page', async ({
    adminPage: page,
    words,
    place,
  }, testInfo) => {
    // Uses a file on the disk. Its date must be unchanged when it is chosen again.
    const file = testInfo.outputPath('away.txt')
    await writeFile(file, 'away')
    await page.goto(place.address)
    const line = await holdLine(page)
    line.state = 'hold'
    await sendFiles(page, words, { files: [file], method: 'auto' })
    await expect(trayOf(page, words).button).toHaveAccessibleName(
      patternOf(words.tasks.openBusy, { count: 1 }),
    )
    await page.getByRole('link', { name: 'Dropleaf' }).first().click()
    await expect(page).toHaveURL(/\/$/)
    page.once('dialog', (leaving) => void leaving.accept())
    await page.reload()
    const panel = await openTray(page, words)
    await expect(panel.getByText(words.tasks.state.needsFile)).toBeVisible()
    await expect(panel.getByText(say(words.tasks.needsFileHint, { name: 'away.txt' }))).toBeVisible()
    line.state = 'open'
    await panel.locator('input[type=file]').setInputFiles(file)
    await expect(page.getByText(doneNotice(words, 1)).first()).toBeVisible()
    expect(await place.readText('away.txt')).toBe('away')
    await page.reload()
    await openTray(page, words)
    await expect(panel.getByText('away.txt')).toHaveCount(0)
  })
})
