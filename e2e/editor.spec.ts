import { expectAccessible } from './support/accessible.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, inOppositeWorlds, test } from './support/worlds.ts'

inOppositeWorlds(({ device }) => {
  test('the tools write Markdown, show its headings, find words in it and show it beside the source', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { editor: tools, home } = words
    const field = page.getByRole('textbox', { name: home.editor })
    const toolbar = page.getByRole('toolbar', { name: tools.tools })
    /** A tool of the row, or of its menu where there is little room. */
    const use = async (label: string) => {
      const tool = toolbar.getByRole('button', { name: label, exact: true })
      if ((await tool.count()) > 0) return press(tool)
      await press(toolbar.getByRole('button', { name: tools.more }))
      return press(
        page
          .getByRole('menuitem', { name: label, exact: true })
          .or(page.getByRole('menuitemcheckbox', { name: label, exact: true })),
      )
    }
    await page.goto('/')
    await expect(toolbar).toBeVisible()
    await field.click()
    await page.keyboard.type('Plan')
    await page.keyboard.press('Control+Alt+1')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('seven')
    await use(tools.bold)
    await expect(field).toContainText('**seven**')
    await page.keyboard.press('End')
    await page.keyboard.type('\n\n- one\ntwo\n\n')
    await expect(field).toContainText('- two')
    await use(tools.table.title)
    await page.getByRole('dialog').getByRole('button', { name: tools.insert }).click()
    await expect(field).toContainText('| --- | --- | --- |')
    await page.keyboard.type('x')
    await page.keyboard.press('Tab')
    await page.keyboard.type('y')
    await expect(field).toContainText('| x   | y')

    await use(tools.find.label)
    await page.getByRole('textbox', { name: tools.find.words }).fill('seven')
    await page.getByRole('textbox', { name: tools.find.replacement }).fill('eight')
    await page.getByRole('button', { name: tools.find.replaceAll }).click()
    await page.getByRole('button', { name: tools.find.close }).click()
    await expect(field).toContainText('**eight**')

    if (device === 'phone') await press(page.getByRole('button', { name: tools.modes.preview }))
    const preview = page.getByRole('region', { name: home.preview })
    await expect(preview.getByRole('heading', { name: 'Plan' })).toBeVisible()
    await expect(preview.getByRole('cell').or(preview.getByRole('columnheader')).first()).toHaveText('x')
    await use(tools.outline)
    await expect(page.getByRole('navigation', { name: tools.outline }).getByRole('button')).toHaveText('Plan')
    expect(await isWiderThanScreen(page)).toBe(false)
    await expectAccessible(page, `editor, ${device}`)
    if (device === 'desktop') {
      await toolbar.getByRole('button').first().focus()
      await page.keyboard.press('End')
      await expect(toolbar.getByRole('button', { name: tools.help.title })).toBeFocused()
      await page.keyboard.press('Home')
      await page.keyboard.press('ArrowRight')
      await expect(toolbar.getByRole('button', { name: tools.redo })).toBeFocused()
    }
  })
})
