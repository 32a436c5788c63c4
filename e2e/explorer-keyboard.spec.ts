import type { Locator, Page } from '@playwright/test'
import { expect, type Explorer, say, test } from './support/explorer.ts'
import { Keyboard, unseenFocus } from './support/keyboard.ts'
import { PICTURE } from './support/media.ts'
import { inTurn } from './support/worlds.ts'

/**
 * Uses the explorer without a mouse. Tab must reach every control, and the focus must always be visible and be
 * restored.
 */

const tabTo = (page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> =>
  new Keyboard(page).to(target, key)

/** Opens a dialog from a control. Escape must close it and return the focus. */
async function openAndEscape(page: Page, control: Locator, dialog: Locator): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(control).toBeFocused()
}

const pick = (page: Page, item: Locator): Promise<void> => new Keyboard(page).pick(item)

async function pickFromRow(page: Page, explorer: Explorer, command: string): Promise<void> {
  await page.keyboard.press('Shift+F10')
  await pick(page, explorer.item(command))
}

// Does not test tiles separately, because they have the same controls as the gallery, except for the settings of the
// gallery.
for (const view of inTurn('explorer', ['list', 'gallery'] as const)) {
  test(`${view}: the keyboard operates all of the explorer`, async ({
    adminPage: page,
    explorer,
    place,
    words,
  }) => {
    await place.put({ 'a.png': PICTURE, 'b.png': PICTURE, 'inner/': '' })
    await explorer.open(place)
    await expect(explorer.link('a.png')).toBeVisible()
    const { command } = words.explorer

    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: words.shell.skip })).toBeFocused()
    const path = page.getByRole('navigation', { name: words.explorer.path })
    await tabTo(page, page.getByRole('link', { name: words.shell.files, exact: true }))
    await openAndEscape(
      page,
      page.getByRole('button', { name: words.tasks.open }),
      page.getByRole('dialog', { name: words.tasks.title }),
    )
    for (const level of [words.explorer.root, place.name])
      await tabTo(page, path.getByRole('link', { name: level, exact: true }))
    await openAndEscape(
      page,
      explorer.button(words.search.open),
      page.getByRole('dialog', { name: words.search.title }),
    )
    await openAndEscape(
      page,
      explorer.button(say(words.basket.open_other, { count: 0 })),
      page.getByRole('dialog', { name: words.basket.title }),
    )
    await openAndEscape(page, explorer.tool(words.explorer.upload), explorer.dialog)
    await openAndEscape(page, explorer.tool(words.explorer.newFolder.open), explorer.dialog)
    await page.keyboard.press('Enter')
    await expect(explorer.dialog.getByRole('textbox')).toBeFocused()
    await page.keyboard.type('made')
    await page.keyboard.press('Enter')
    await expect(explorer.link('made')).toBeVisible()
    await expect(explorer.tool(words.explorer.newFolder.open)).toBeFocused()

    await tabTo(page, page.getByRole('textbox', { name: words.explorer.filter }))
    await page.keyboard.type('made')
    await expect(explorer.names).toHaveText(['made'])
    await page.keyboard.press('Escape')
    await expect(explorer.grid).toBeFocused()
    await expect(explorer.names).toHaveText(['inner', 'made', 'a.png', 'b.png'])
    await tabTo(page, explorer.button(words.explorer.view[view]), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await expect(explorer.button(words.explorer.view[view])).toHaveAttribute('aria-pressed', 'true')
    const display = explorer.button(words.explorer.display)
    await tabTo(page, display)
    await page.keyboard.press('Enter')
    await pick(page, page.getByRole('menuitemradio', { name: words.explorer.order.desc }))
    await expect(explorer.names).toHaveText(['made', 'inner', 'b.png', 'a.png'])
    await expect(display).toBeFocused()
    await page.keyboard.press('Enter')
    await pick(page, page.getByRole('menuitemradio', { name: words.explorer.order.asc }))
    if (view === 'gallery') {
      await expect(display).toBeFocused()
      await page.keyboard.press('Enter')
      await pick(page, explorer.item(words.explorer.gallery.settings))
      const slider = explorer.dialog.getByRole('slider')
      await tabTo(page, slider)
      await page.keyboard.press('ArrowRight')
      await expect(slider).toHaveValue('18')
      await page.keyboard.press('Escape')
      await expect(explorer.dialog).toHaveCount(0)
      await expect(display).toBeFocused()
    }
    await tabTo(page, explorer.tool(words.explorer.refresh))
    await page.keyboard.press('Enter')
    await expect(page.getByText(words.explorer.refreshed)).toBeVisible()

    await tabTo(page, explorer.grid)
    if (view === 'list') {
      await tabTo(page, page.getByRole('checkbox', { name: words.explorer.selectAll }))
      await page.keyboard.press('Space')
      await expect(explorer.marked).toHaveCount(4)
      await page.keyboard.press('Space')
      await expect(explorer.marked).toHaveCount(0)
      const byName = page.getByRole('columnheader').getByRole('button', { name: words.explorer.sort.name })
      await tabTo(page, byName)
      await page.keyboard.press('Enter')
      await expect(explorer.names).toHaveText(['made', 'inner', 'b.png', 'a.png'])
      await page.keyboard.press('Enter')
      await expect(explorer.names).toHaveText(['inner', 'made', 'a.png', 'b.png'])
      await tabTo(page, explorer.grid, 'Shift+Tab')
    }
    await page.keyboard.press('End')
    expect(await unseenFocus(page)).toBeNull()
    for (const [action, isClosedBy] of [
      [command.properties, 'Enter'],
      [command.link, 'Escape'],
      [command.share, 'Escape'],
      [command.move, 'Escape'],
      [command.copy, 'Escape'],
      [command.rename, 'Escape'],
      [command.delete, 'Escape'],
    ] as const) {
      await pickFromRow(page, explorer, action)
      await expect(explorer.dialog).toBeVisible()
      expect(await unseenFocus(page)).toBeNull()
      await page.keyboard.press(isClosedBy)
      await expect(explorer.dialog).toHaveCount(0)
      await expect(explorer.grid).toBeFocused()
    }
    await pickFromRow(page, explorer, command.basket)
    await expect(explorer.grid).toBeFocused()
    const basket = explorer.button(say(words.basket.open_one, { count: 1 }))
    await tabTo(page, basket, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const takeOut = page.getByRole('button', { name: say(words.basket.remove, { name: 'b.png' }) })
    await tabTo(page, takeOut)
    await page.keyboard.press('Enter')
    await expect(page.getByText(words.basket.empty)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(explorer.button(say(words.basket.open_other, { count: 0 }))).toBeFocused()

    await tabTo(page, explorer.grid)
    await page.keyboard.press('End')
    await page.keyboard.press('Space')
    await expect(explorer.marked).toHaveCount(1)
    await tabTo(page, explorer.tool(words.explorer.more), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await pick(page, explorer.item(command.properties))
    await expect(explorer.dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(explorer.dialog).toHaveCount(0)
    await expect(explorer.grid).toBeFocused()
    await tabTo(page, explorer.tool(command.delete), 'Shift+Tab')
    await page.keyboard.press('Enter')
    const confirm = explorer.dialog.getByRole('button', { name: command.delete })
    await tabTo(page, confirm)
    await page.keyboard.press('Enter')
    await expect(explorer.link('b.png')).toHaveCount(0)
    await expect(explorer.grid).toBeFocused()
    await tabTo(page, explorer.button(words.common.undo))
    await page.keyboard.press('Enter')
    await expect(explorer.link('b.png')).toBeVisible()
    const undone = page.getByText(words.explorer.remove.undone)
    await expect(undone).toBeVisible()
    await expect(undone).toBeHidden()

    await tabTo(page, explorer.grid, 'Shift+Tab')
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('img', { name: 'b.png' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('img', { name: 'a.png' })).toBeVisible()
    await tabTo(page, explorer.button(words.explorer.preview.close))
    for (const action of [command.share, command.link, command.rename, command.delete])
      await openAndEscape(
        page,
        page.getByRole('dialog').getByRole('button', { name: action, exact: true }),
        explorer.dialog,
      )
    await tabTo(page, explorer.button(words.explorer.preview.after))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('img', { name: 'b.png' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(explorer.grid).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(page.getByText(words.explorer.empty.title)).toBeVisible()
    await tabTo(page, path.getByRole('link', { name: place.name, exact: true }))
    await page.keyboard.press('Enter')
    await expect(explorer.link('inner')).toBeVisible()
  })
}
