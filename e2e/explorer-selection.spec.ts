import { expect, inOppositeWorlds, say, test, VIEWS } from './support/explorer.ts'
import { PICTURE } from './support/media.ts'

/** Tests selecting entries in every view, with every input method of the device. */

const FILES = { '1.png': PICTURE, '2.png': PICTURE, '3.png': PICTURE, '4.png': PICTURE }

inOppositeWorlds(({ device, language }) => {
  for (const view of VIEWS) {
    if (device === 'phone') {
      test(`${view}: a long press opens the menu, and later taps select`, async ({
        adminPage: page,
        explorer,
        place,
        words,
        press,
      }) => {
        await place.put(FILES)
        await explorer.open(place)
        await explorer.show(view)
        await explorer.openMenu('2.png')
        await expect(explorer.item(words.explorer.command.rename)).toBeVisible()
        await press(explorer.item(words.explorer.select))
        await expect(explorer.marked).toHaveCount(1)
        await explorer.link('3.png').tap()
        await explorer.link('4.png').tap()
        await expect(explorer.marked).toHaveCount(3)
        await explorer.link('3.png').tap()
        await expect(explorer.marked).toHaveCount(2)
        await press(explorer.tool(words.explorer.more))
        await expect(explorer.item(words.explorer.command.basket)).toBeVisible()
        await expect(explorer.item(words.explorer.command.rename)).toHaveCount(0)
        await page.keyboard.press('Escape')
        await press(explorer.tool(words.explorer.unselect))
        await expect(explorer.marked).toHaveCount(0)
        await explorer.link('1.png').tap()
        await expect(page.getByRole('img', { name: '1.png' })).toBeVisible()
      })
      continue
    }

    test(`${view}: the mouse selects with boxes, with Shift and Ctrl, and with a band around entries`, async ({
      adminPage: page,
      explorer,
      place,
      words,
    }) => {
      await place.put(FILES)
      await explorer.open(place)
      await explorer.show(view)
      await explorer.mark('1.png')
      await explorer.link('3.png').click({ modifiers: ['Shift'] })
      await expect(explorer.marked).toHaveCount(3)
      await explorer.link('2.png').click({ modifiers: ['ControlOrMeta'] })
      await expect(explorer.marked).toHaveCount(2)
      await expect(page.getByText(say(words.explorer.selected, { number: 2 }))).toBeVisible()
      await expect(explorer.box('3.png')).toBeChecked()
      await expect(explorer.box('2.png')).not.toBeChecked()
      await explorer.tool(words.explorer.unselect).click()
      await expect(explorer.marked).toHaveCount(0)
      await expect(explorer.grid).toBeFocused()

      const [from, to] = [
        await explorer.row('2.png').boundingBox(),
        await explorer.row('3.png').boundingBox(),
      ]
      if (!from || !to) throw new Error('The entries are not visible.')
      // Starts in empty space, which is next to the name of a row or between two tiles.
      const startX = view === 'list' ? from.x + from.width * 0.6 : from.x - 4
      await page.mouse.move(startX, from.y + 20)
      await page.mouse.down()
      await page.mouse.move(startX + 20, to.y + 10, { steps: 3 })
      await page.mouse.move(to.x + to.width / 2, to.y + 30, { steps: 3 })
      await page.mouse.up()
      await expect(explorer.marked).toHaveCount(2)
      await expect(explorer.box('2.png')).toBeChecked()
      await expect(explorer.box('3.png')).toBeChecked()
      await page.keyboard.press('ControlOrMeta+a')
      await expect(explorer.marked).toHaveCount(4)
      await page.keyboard.press('Escape')
      await expect(explorer.marked).toHaveCount(0)
    })

    test(`${view}: the keyboard moves, selects, opens, renames, deletes and filters`, async ({
      adminPage: page,
      explorer,
      place,
      words,
    }) => {
      await place.put(FILES)
      await explorer.open(place)
      await explorer.show(view)
      const active = page.locator('[data-active]')
      await explorer.grid.focus()
      await page.keyboard.press('Home')
      await expect(active).toContainText('1.png')
      await page.keyboard.press(view === 'list' ? 'ArrowDown' : 'ArrowRight')
      await expect(active).toContainText('2.png')
      await page.keyboard.press('Space')
      await expect(explorer.marked).toHaveCount(1)
      await page.keyboard.press('Shift+End')
      await expect(explorer.marked).toHaveCount(3)
      await page.keyboard.press('Delete')
      await expect(explorer.dialog).toContainText('4.png')
      await expect(explorer.dialog.getByRole('button', { name: words.common.cancel })).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(explorer.dialog).toHaveCount(0)
      await expect(explorer.grid).toBeFocused()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Home')
      await page.keyboard.press('F2')
      await expect(explorer.dialog.getByRole('textbox', { name: words.explorer.rename.name })).toHaveValue(
        '1.png',
      )
      const renamed = language === 'zh-CN' ? '新名字' : 'renamed'
      await page.keyboard.insertText(renamed)
      await page.keyboard.press('Enter')
      await expect(explorer.link(`${renamed}.png`)).toBeVisible()
      await expect(active).toContainText(`${renamed}.png`)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('img', { name: `${renamed}.png` })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(explorer.grid).toBeFocused()
      await page.keyboard.press('/')
      await expect(page.getByRole('textbox', { name: words.explorer.filter })).toBeFocused()
      await page.keyboard.type('3')
      await expect(explorer.names).toHaveText(['3.png'])
      await page.keyboard.press('Enter')
      await expect(explorer.grid).toBeFocused()
    })
  }
})
