import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'
import { mountIn } from './support/place.ts'

/** Tests creating, renaming, deleting, moving and copying of folders and files. */

inOppositeWorlds(({ device, language }) => {
  const named = (english: string, chinese: string) => (language === 'zh-CN' ? chinese : english)

  test('a folder is created, and the folders and files are renamed', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'A', 'old/': '', 'old/inside.txt': 'still here' })
    await explorer.open(place)
    await press(explorer.tool(words.explorer.newFolder.open))
    const field = explorer.dialog.getByRole('textbox')
    await expect(field).toBeFocused()
    await explorer.answer(words.explorer.newFolder.submit)
    await expect(explorer.dialog).toContainText(words.explorer.nameFault.empty)
    await field.fill('old')
    await explorer.answer(words.explorer.newFolder.submit)
    await expect(explorer.dialog).toContainText(words.explorer.nameFault.taken)
    await field.fill('a/b')
    await explorer.answer(words.explorer.newFolder.submit)
    await expect(explorer.dialog).toContainText(words.explorer.nameFault.slash)
    const made = named('Summer 2030 #1', '夏天 #1')
    await field.fill(` ${made}  `)
    await expect(explorer.dialog).toContainText(say(words.explorer.nameTrimmed, { name: made }))
    await page.keyboard.press('Enter')
    await expect(explorer.link(made)).toBeVisible()
    expect(await place.has(`${made}/`)).toBe(true)

    await explorer.choose('old', words.explorer.command.rename)
    await expect(explorer.title).toHaveText(words.explorer.rename.folder)
    await field.fill('new')
    await explorer.answer(words.explorer.rename.submit)
    await expect(explorer.link('new')).toBeVisible()
    await expect(explorer.link('old')).toHaveCount(0)
    expect(await place.readText('new/inside.txt')).toBe('still here')

    await explorer.choose('a.txt', words.explorer.command.rename)
    await expect(explorer.title).toHaveText(words.explorer.rename.file)
    const name = named('plan', '计划')
    await page.keyboard.insertText(name)
    await explorer.answer(words.explorer.rename.submit)
    await expect(explorer.link(`${name}.txt`)).toBeVisible()
    expect(await place.readText(`${name}.txt`)).toBe('A')
  })

  test('an invalid name is announced each time; stepping back closes a menu, and asks before a typed name is lost', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    const { command, nameFault } = words.explorer
    await place.put({ 'in/': '', 'in/a.txt': 'A', 'in/b.txt': 'B' })
    await explorer.open(place)
    await press(explorer.link('in'))
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt'])

    await explorer.openMenu('a.txt')
    await page.goBack()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(explorer.grid).toBeFocused()
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt'])
    // On a desktop, the right click has selected the file. The toolbar of a selection hides the view options, so this
    // clears the selection.
    if (device === 'desktop') await page.keyboard.press('Escape')
    const display = explorer.button(words.explorer.display)
    await press(display)
    await expect(page.getByRole('menu')).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(display).toBeFocused()
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt'])

    await explorer.choose('a.txt', command.rename)
    const field = explorer.dialog.getByRole('textbox')
    const spoken = explorer.dialog.getByRole('alert')
    await field.fill('a/b')
    await field.press('Enter')
    await expect(spoken).toHaveText(nameFault.slash)
    await expect(field).toBeFocused()
    const before = await spoken.locator('span').elementHandle()
    await field.press('Enter')
    await expect.poll(() => before?.evaluate((element) => element.isConnected)).toBe(false)
    await expect(spoken).toHaveText(nameFault.slash)
    await field.fill('b.txt')
    await expect(spoken).toHaveCount(0)
    await field.press('Enter')
    await expect(spoken).toHaveText(nameFault.taken)

    const { href } = new URL(page.url())
    await page.goBack()
    await expect(explorer.title.last()).toHaveText(words.common.unsaved.title)
    await expect(page).toHaveURL(href)
    await page.goBack()
    await expect(field).toHaveValue('b.txt')
    await expect(page).toHaveURL(href)
    await field.fill('a.txt')
    await page.goBack()
    await expect(explorer.dialog).toHaveCount(0)
    await explorer.choose('a.txt', command.rename)
    await field.fill('zzz')
    await page.goBack()
    await page.getByRole('button', { name: words.common.unsaved.leave }).click()
    await expect(explorer.dialog).toHaveCount(0)
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt'])
  })

  test('a deletion names the files, can be undone, and is sent before the next change', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'A', 'b.txt': 'B', 'gone/': '', 'gone/c.txt': 'C', 'stays.txt': 'S' })
    await explorer.open(place)
    await explorer.choose('a.txt', words.explorer.command.delete)
    await expect(explorer.title).toHaveText(say(words.explorer.remove.titleOne, { name: 'a.txt' }))
    await explorer.answer(words.common.cancel)
    await expect(explorer.names).toHaveCount(4)

    await explorer.mark('a.txt', 'b.txt', 'gone')
    await press(explorer.tool(words.explorer.command.delete))
    await expect(explorer.title).toHaveText(say(words.explorer.remove.titleMany, { count: 3 }))
    for (const name of ['a.txt', 'b.txt', 'gone']) await expect(explorer.dialog).toContainText(name)
    await explorer.answer(words.explorer.command.delete)
    await expect(explorer.names).toHaveText(['stays.txt'])
    await expect(page.getByText(say(words.explorer.remove.doneMany, { count: 3 }))).toBeVisible()
    await press(explorer.button(words.common.undo))
    await expect(page.getByText(words.explorer.remove.undone)).toBeVisible()
    await expect(explorer.names).toHaveCount(4)
    expect(await place.has('gone/c.txt')).toBe(true)

    await explorer.choose('gone', words.explorer.command.delete)
    await expect(explorer.dialog).toContainText(words.explorer.remove.folderText)
    await explorer.answer(words.explorer.command.delete)
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt', 'stays.txt'])
    // If a new folder has the same name, it must not be deleted with the old folder.
    await explorer.makeFolder('gone')
    await expect(explorer.link('gone')).toBeVisible()
    expect(await place.has('gone/')).toBe(true)
    expect(await place.has('gone/c.txt')).toBe(false)
  })

  test('a notice is above an open dialog, and the button works', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'A', 'b.txt': 'B' })
    await explorer.open(place)
    await explorer.choose('a.txt', words.explorer.command.delete)
    await explorer.answer(words.explorer.command.delete)
    await expect(explorer.names).toHaveText(['b.txt'])
    await explorer.choose('b.txt', words.explorer.command.delete)
    await expect(explorer.title).toHaveText(say(words.explorer.remove.titleOne, { name: 'b.txt' }))
    await press(explorer.dialog.getByRole('button', { name: words.common.undo }))
    await expect(page.getByText(words.explorer.remove.undone)).toBeVisible()
    await expect(page.locator('dialog output')).toHaveText(words.explorer.remove.undone)
    await explorer.answer(words.common.cancel)
    await expect(explorer.names).toHaveText(['a.txt', 'b.txt'])
  })

  test('undeletable files are named with their reason and stay visible; the rest is deleted', async ({
    adminPage: page,
    admin,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'A', 'b.txt': 'B', 'holder/': '', 'holder/inner/': '', 'target/': '' })
    await explorer.open(place)
    await expect(explorer.names).toHaveCount(4)
    // Mounts a storage inside the folder without a reload of the page. If the page knew of the mount, it would not
    // offer to delete the folder.
    const unmount = await mountIn(admin, place, 'holder/inner')
    await explorer.mark('a.txt', 'holder')
    await press(explorer.tool(words.explorer.command.delete))
    await explorer.answer(words.explorer.command.delete)
    await expect(explorer.names).toHaveText(['target', 'b.txt'])
    // Triggers the deletion, which is sent before another write or when the page is hidden.
    await explorer.makeFolder('made')
    const failures = page.getByRole('dialog', { name: say(words.explorer.failures.title_one, { count: 1 }) })
    await expect(failures).toContainText('holder')
    await expect(failures).toContainText(words.errors.fs.holds_mount)
    await expect(failures).toContainText(words.explorer.failures.text)
    await press(failures.getByRole('button', { name: words.common.close }))
    await expect(explorer.names).toHaveText(['holder', 'made', 'target', 'b.txt'])
    expect(await place.has('a.txt')).toBe(false)
    expect(await place.has('holder/')).toBe(true)

    await unmount()
  })

  test('copies go into a new folder, and a taken name is numbered, kept or overwritten as chosen', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'new', 'b.txt': 'B' })
    await explorer.open(place)
    const made = named('archive', '归档')
    await explorer.mark('a.txt', 'b.txt')
    await press(explorer.tool(words.explorer.command.copy))
    // The current folder is preselected and has the focus.
    await expect(explorer.target(place.name)).toBeFocused()
    await press(
      explorer.dialog.getByRole('button', { name: say(words.explorer.newFolder.here, { name: place.name }) }),
    )
    await explorer.dialog.getByRole('textbox', { name: words.explorer.newFolder.name }).fill(made)
    await explorer.answer(words.explorer.newFolder.submit)
    await expect(explorer.target(made)).toHaveAttribute('aria-selected', 'true')
    await explorer.answer(words.explorer.copy.submit)
    await expect(page.getByText(say(words.explorer.copy.done_other, { name: made, count: 2 }))).toBeVisible()
    expect(await place.readText(`${made}/b.txt`)).toBe('B')
    await place.put({ 'a.txt': 'newer' })
    await press(explorer.tool(words.explorer.unselect))

    const copyInto = async (conflict: 'rename' | 'skip' | 'overwrite') => {
      await explorer.choose('a.txt', words.explorer.command.copy)
      await press(explorer.target(made))
      await explorer.dialog.getByLabel(words.explorer.conflict.label).selectOption(conflict)
      await explorer.answer(words.explorer.copy.submit)
    }
    await copyInto('skip')
    await expect(
      page.getByText(say(words.explorer.copy.skipped_other, { count: 0, skipped: 1 })),
    ).toBeVisible()
    expect(await place.readText(`${made}/a.txt`)).toBe('new')
    await copyInto('rename')
    await expect.poll(() => place.readText(`${made}/a(1).txt`)).toBe('newer')
    expect(await place.readText(`${made}/a.txt`)).toBe('new')
    await copyInto('overwrite')
    await expect.poll(() => place.readText(`${made}/a.txt`)).toBe('newer')
    expect(await place.readText('a.txt')).toBe('newer')
  })

  test('files and folders are moved; the impossible targets are marked', async ({
    adminPage: page,
    explorer,
    place,
    words,
    press,
  }) => {
    await place.put({ 'a.txt': 'new', 'box/': '', 'box/c.txt': 'C', 'target/': '', 'target/a.txt': 'old' })
    await explorer.open(place)
    await explorer.mark('a.txt', 'box')
    await press(explorer.tool(words.explorer.command.move))
    await expect(explorer.dialog).toContainText(words.explorer.refusal.same)
    const submit = explorer.dialog.getByRole('button', { name: words.explorer.move.submit })
    await expect(submit).toBeDisabled()
    await press(explorer.target('box'))
    await expect(explorer.dialog).toContainText(words.explorer.refusal.inside)
    await press(explorer.target(words.explorer.root))
    await expect(explorer.dialog).toContainText(words.explorer.refusal.top)
    await press(explorer.target(place.name))
    await press(explorer.target('target'))
    await explorer.dialog.getByLabel(words.explorer.conflict.label).selectOption('skip')
    await press(submit)
    // The two moved items are the folder and its file.
    await expect(
      page.getByText(say(words.explorer.move.skipped_other, { count: 2, skipped: 1 })),
    ).toBeVisible()
    await expect(explorer.names).toHaveText(['target', 'a.txt'])
    expect(await place.readText('target/box/c.txt')).toBe('C')
    expect(await place.readText('target/a.txt')).toBe('old')
    await explorer.choose('a.txt', words.explorer.command.move)
    await press(explorer.target('target'))
    await press(submit)
    await expect(
      page.getByText(say(words.explorer.move.done_one, { name: 'target', count: 1 })),
    ).toBeVisible()
    expect(await place.readText('target/a(1).txt')).toBe('new')
    expect(await place.has('a.txt')).toBe(false)
  })

  if (device === 'desktop') {
    test('dragging onto a folder or a level of the path moves the files there', async ({
      adminPage: page,
      explorer,
      place,
      words,
    }) => {
      await place.put({ 'a.txt': 'A', 'b.txt': 'B', 'c.txt': 'C', 'target/': '' })
      await explorer.open(place)
      await explorer.link('a.txt').dragTo(explorer.link('target'))
      await expect(
        page.getByText(say(words.explorer.move.done_one, { name: 'target', count: 1 })),
      ).toBeVisible()
      await expect(explorer.names).toHaveText(['target', 'b.txt', 'c.txt'])
      await explorer.mark('b.txt', 'c.txt')
      await explorer.link('b.txt').dragTo(explorer.link('target'))
      await expect(
        page.getByText(say(words.explorer.move.done_other, { name: 'target', count: 2 })),
      ).toBeVisible()
      await expect(explorer.names).toHaveText(['target'])
      await explorer.link('target').click()
      await expect(explorer.names).toHaveText(['a.txt', 'b.txt', 'c.txt'])
      const level = page
        .getByRole('navigation', { name: words.explorer.path })
        .getByRole('link', { name: place.name })
      await explorer.link('c.txt').dragTo(level)
      await expect(
        page.getByText(say(words.explorer.move.done_one, { name: place.name, count: 1 })),
      ).toBeVisible()
      expect(await place.readText('c.txt')).toBe('C')
      expect(await place.readText('target/a.txt')).toBe('A')
    })
  }
})
