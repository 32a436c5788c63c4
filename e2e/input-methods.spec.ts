import type { Page } from '@playwright/test'
import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'

/**
 * Tests fields with an input method, which converts typed letters into Chinese words. Enter accepts the letters, and
 * Esc discards them.
 */

interface Composition {
  /** Keys pressed during the composition. The input method handles these keys. */
  readonly keys?: readonly ('Enter' | 'Escape' | 'ArrowDown')[]
  readonly text?: string
  /** Runs during the composition. */
  readonly meanwhile?: () => Promise<void>
}

/** Composes a word in the focused field. */
async function compose(page: Page, { keys = [], text = '你好', meanwhile }: Composition): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'ni hao', selectionStart: 6, selectionEnd: 6 })
  for (const key of keys) {
    const press = { key, code: key, windowsVirtualKeyCode: 229 }
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...press })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...press })
  }
  await meanwhile?.()
  await session.send('Input.insertText', { text })
  await session.detach()
}

inOppositeWorlds(() => {
  test('keys of an input method only write', async ({ adminPage: page, explorer, place, words, press }) => {
    await place.put({ 'a.txt': 'a', 'b.txt': 'b' })
    await explorer.open(place)
    const { step } = test
    await step('the filter keeps its text', async () => {
      const filter = page.getByRole('textbox', { name: words.explorer.filter })
      await filter.fill('b ')
      await compose(page, { keys: ['Escape', 'Enter', 'ArrowDown'] })
      await expect(filter).toHaveValue('b 你好')
      await expect(filter).toBeFocused()
      await filter.fill('')
    })
    await step('the new folder of a copy is not created', async () => {
      await explorer.choose('a.txt', words.explorer.command.copy)
      await press(
        explorer.dialog.getByRole('button', {
          name: say(words.explorer.newFolder.here, { name: place.name }),
        }),
      )
      const field = explorer.dialog.getByRole('textbox', { name: words.explorer.newFolder.name })
      await expect(field).toBeFocused()
      await compose(page, { keys: ['Enter', 'Escape'] })
      await expect(field).toHaveValue('你好')
      await expect(explorer.dialog).toBeVisible()
      await press(explorer.dialog.getByRole('button', { name: words.explorer.newFolder.submit }))
      await expect(explorer.target('你好')).toBeVisible()
      await explorer.answer(words.common.cancel)
      expect([await place.has('你好/'), await place.has('ni hao/')]).toEqual([true, false])
    })
    await step('the file is not renamed', async () => {
      await explorer.choose('b.txt', words.explorer.command.rename)
      const field = explorer.dialog.getByRole('textbox')
      await field.fill('')
      await compose(page, { keys: ['Enter', 'Escape'], text: '名字' })
      await expect(field).toHaveValue('名字')
      await explorer.answer(words.explorer.rename.submit)
      await expect(explorer.link('名字')).toBeVisible()
    })
    await step('quick find neither opens nor closes', async () => {
      await page.keyboard.press('Escape')
      await press(page.getByRole('button', { name: words.shell.palette }))
      const field = page.getByRole('dialog').getByRole('combobox')
      await expect(field).toBeFocused()
      const before = page.url()
      await compose(page, { keys: ['ArrowDown', 'Enter', 'Escape'] })
      await expect(field).toHaveValue('你好')
      expect(page.url()).toBe(before)
      await page.keyboard.press('Escape')
      await expect(field).toHaveCount(0)
    })
    await step('the editor stays open with its text', async () => {
      await explorer.edit('a.txt')
      await explorer.editor.click()
      await page.keyboard.press('ControlOrMeta+End')
      await compose(page, { keys: ['Enter', 'Escape'] })
      await expect(explorer.editor).toHaveText('a你好')
    })
  })

  test('late loading of the editor does not end a composition', async ({
    adminPage: page,
    explorer,
    place,
  }) => {
    await place.put({ 'a.ts': 'let ' })
    const late = Promise.withResolvers<void>()
    await page.route(/\/(editor-tools|source-languages)-/, async (route) => {
      await late.promise
      await route.continue()
    })
    await explorer.open(place)
    await explorer.edit('a.ts')
    await explorer.editor.click()
    await page.keyboard.press('ControlOrMeta+End')
    const lineNumbers = page.locator('.cm-lineNumbers')
    await expect(lineNumbers).toHaveCount(0)
    await compose(page, {
      meanwhile: async () => {
        late.resolve()
        await expect(page.locator('option', { hasText: 'TypeScript' })).not.toHaveCount(0)
      },
    })
    await expect(explorer.editor).toHaveText('let 你好')
    await expect(lineNumbers).toBeVisible()
  })
})
