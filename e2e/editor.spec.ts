import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { wantLinkEach } from './support/uploading.ts'
import { expect, inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Returns the text around the caret, marked by `|`. */
const caretText = () => {
  const { anchorNode, anchorOffset = 0 } = document.getSelection() ?? {}
  const text = anchorNode?.textContent ?? ''
  return `${text.slice(0, anchorOffset)}|${text.slice(anchorOffset)}`
}

type Press = (target: Locator) => Promise<void>

/**
 * Uses a tool of the toolbar. If the tool is in the menu of the toolbar, as on a narrow screen, opens the menu first.
 */
async function useTool(page: Page, { words, press, label }: { words: Words; press: Press; label: string }) {
  const toolbar = page.getByRole('toolbar', { name: words.editor.tools })
  const tool = toolbar.getByRole('button', { name: label, exact: true })
  if ((await tool.count()) > 0) {
    await press(tool)
    return
  }
  await press(toolbar.getByRole('button', { name: words.editor.more }))
  const entry = page.getByRole('menuitem', { name: label, exact: true })
  await press(entry.or(page.getByRole('menuitemcheckbox', { name: label, exact: true })))
}

inOppositeWorlds(({ device }) => {
  test('the tools write Markdown, list the headings, find words and show the preview beside the source', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { editor: tools, home } = words
    const field = page.getByRole('textbox', { name: home.editor })
    const toolbar = page.getByRole('toolbar', { name: tools.tools })
    const use = (label: string) => useTool(page, { words, press, label })
    await wantLinkEach(page)
    await page.goto('/')
    await expect(toolbar).toBeVisible()
    await field.click()
    await page.keyboard.type('Plan')
    await page.keyboard.press('Control+Alt+1')
    await press(toolbar.getByRole('button', { name: tools.heading, exact: true }))
    const level = page.getByRole('menuitemcheckbox', { name: say(tools.headingLevel, { level: 1 }) })
    await expect(level).toBeChecked()
    await page.keyboard.press('Escape')
    await field.click()
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

  test('a file replaces the text after a question, the old text is a draft, and a picture becomes a share', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { editor: tools, home } = words
    const field = page.getByRole('textbox', { name: home.editor })
    const toolbar = page.getByRole('toolbar', { name: tools.tools })
    const use = (label: string) => useTool(page, { words, press, label })
    const picker = page.locator('input[type=file]').first()
    /** Drops a file onto the editor. */
    const drop = (name: string, type: string, content: string) =>
      field.evaluate(
        (element, file) => {
          const transfer = new DataTransfer()
          const bytes = Uint8Array.from(atob(file.content), (sign) => sign.codePointAt(0) ?? 0)
          transfer.items.add(new File([bytes], file.name, { type: file.type }))
          element.dispatchEvent(
            new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }),
          )
        },
        { name, type, content },
      )
    await wantLinkEach(page)
    await page.goto('/')
    await expect(toolbar).toBeVisible()
    // The bytes are "# 就文" in GBK.
    await picker.setInputFiles({ name: 'old.md', mimeType: '', buffer: Buffer.from('2320becdcec4', 'hex') })
    await expect(field).toContainText('# 就文')
    await drop('new.md', 'text/markdown', Buffer.from('# New').toString('base64'))
    await page.getByRole('dialog').getByRole('button', { name: tools.import.replace }).click()
    await expect(field).toHaveText('# New')
    await use(tools.drafts.title)
    const drafts = page.getByRole('dialog', { name: tools.drafts.title })
    await expect(drafts.getByRole('listitem')).toHaveCount(1)
    await drafts.getByRole('button', { name: tools.drafts.remove }).press('Enter')
    await expect(drafts).not.toContainText('# 就文')
    const putBack = drafts.getByRole('button', { name: words.common.undo })
    await expect(putBack).toBeFocused()
    await putBack.press('Enter')
    await expect(drafts).toContainText('# 就文')
    await drafts.getByRole('button', { name: tools.drafts.restore }).click()
    await expect(field).toContainText('# 就文')
    await use(tools.clear)
    await expect(field).not.toContainText('# 就文')
    const undo = page.getByRole('status').getByRole('button', { name: tools.undo })
    await undo.click()
    await expect(field).toContainText('# 就文')
    await use(tools.clear)
    await field.press('Control+z')
    await expect(field).toContainText('# 就文')
    await undo.click()
    await expect(field).toHaveText('# 就文')

    await drop('dot.png', 'image/png', PICTURE)
    await press(page.getByRole('button', { name: say(words.files.here.insertOne, { name: 'dot.png' }) }))
    await expect(field).toContainText(/!\[dot\.png\]\(http.+\/api\/file-view\/\w+\)/)
    await picker.setInputFiles({ name: 'program.bin', mimeType: '', buffer: Buffer.from([0, 1, 2, 255]) })
    await expect(page.getByText(say(tools.import.notText, { name: 'program.bin' }))).toBeVisible()
    await expect(field).toContainText('# 就文')
  })

  test('rich text typing produces Markdown, and the rest keeps every byte', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { editor: tools, home } = words
    const kept =
      '---\ntitle: x\n---\n\nSetext\n======\n\n* [ ]  task\n\n\n$$\nx^2\n$$\n\nA note[^1]\n\n[^1]: text'
    await wantLinkEach(page)
    await page.goto('/')
    await page.evaluate(
      (text) => localStorage.setItem('home_draft', JSON.stringify({ text, contentType: 'text/markdown' })),
      `${kept}\n\nlast`,
    )
    await page.reload()
    await press(page.getByRole('button', { name: tools.modes.rich, exact: true }))
    const rich = page.locator('.dl-rich').getByRole('textbox', { name: home.editor })
    await expect(rich.getByRole('heading', { name: 'Setext' })).toBeVisible()
    await rich.getByText('last').click()
    await page.keyboard.press('End')
    await expect.poll(() => page.evaluate(caretText)).toBe('last|')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(caretText)).toBe('|')
    await page.keyboard.type('## New ')
    await expect(rich.getByRole('heading', { name: 'New' })).toBeVisible()
    await page.keyboard.press('Control+b')
    await page.keyboard.type('bold*')
    await page.keyboard.press('Control+b')
    await page.keyboard.press('Enter')
    await page.keyboard.type('- one')
    await page.keyboard.press('Enter')
    await page.keyboard.type('two')
    await expect(rich.getByRole('heading', { name: 'New bold*' })).toBeVisible()
    await expect(rich.getByRole('listitem').filter({ hasText: 'two' })).toBeVisible()
    await expectAccessible(page, 'rich text')
    await press(page.getByRole('button', { name: tools.modes.source, exact: true }))
    await expect(page.getByRole('textbox', { name: home.editor })).toContainText('- two')
    await page.reload()
    await expect(page.getByRole('textbox', { name: home.editor })).toContainText('- two')
    const draft = await page.evaluate(
      () => Object.entries(localStorage).find(([key]) => key.startsWith('home_draft:'))?.[1],
    )
    expect((JSON.parse(draft ?? '{}') as { text?: string }).text).toBe(
      `${kept}\n\nlast\n\n## New **bold\\***\n\n- one\n- two`,
    )

    await press(page.getByRole('button', { name: tools.modes.rich, exact: true }))
    await rich.getByText('last').click()
    await page.keyboard.press('End')
    await rich.evaluate((element, content) => {
      const bytes = Uint8Array.from(atob(content), (sign) => sign.codePointAt(0) ?? 0)
      const transfer = new DataTransfer()
      for (const name of ['one.png', 'two.png'])
        transfer.items.add(new File([bytes], name, { type: 'image/png' }))
      element.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
      )
    }, PICTURE)
    for (const name of ['one.png', 'two.png'])
      await press(page.getByRole('button', { name: say(words.files.here.insertOne, { name }) }))
    await expect(rich.getByRole('img', { name: 'two.png' })).toBeVisible()
    await press(page.getByRole('button', { name: tools.modes.source, exact: true }))
    await expect(page.getByRole('textbox', { name: home.editor })).toContainText(
      /last!\[one\.png\]\(http\S+\)\s*!\[two\.png\]\(http\S+\)\s*## New/,
    )
  })
})

test('the preview of a text inserted at once is aligned with its source', async ({
  adminPage: page,
  words,
}) => {
  const parts = Array.from({ length: 120 }, (_, index) => `## Part ${index}\n\ntext`)
  await page.goto('/')
  await expect(page.getByRole('toolbar', { name: words.editor.tools })).toBeVisible()
  await page.getByRole('textbox', { name: words.home.editor }).click()
  await page.keyboard.insertText(parts.join('\n\n'))
  const preview = page.getByRole('region', { name: words.home.preview })
  await expect(preview.getByRole('heading', { name: 'Part 119', exact: true })).toBeInViewport()
})
