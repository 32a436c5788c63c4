import { bundleRoutes, shareRoutes } from '@dropleaf/contract'
import { expect, inOppositeWorlds, say, test } from './support/explorer.ts'
import { Keyboard } from './support/keyboard.ts'

/** Creates, reads, edits and deletes a bundle with only the keyboard. The focus must be visible at every step. */

const PASSWORD = 'open sesame'

inOppositeWorlds(() => {
  test('a bundle is made, opened by its password, read, changed and deleted', async ({
    adminPage: page,
    admin,
    words,
  }) => {
    const { bundle: texts, bundleEditing, common, files, shares } = words
    const keyboard = new Keyboard(page)
    await page.addInitScript(() => Object.assign(window, { showOpenFilePicker: undefined }))
    await page.goto('/upload')
    const choosing = page.waitForEvent('filechooser')
    await keyboard.to(page.locator('input[type=file]').first())
    await page.keyboard.press('Enter')
    const fileOf = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`in ${name}`) })
    await (await choosing).setFiles([fileOf('one.txt'), fileOf('two.txt')])
    await keyboard.write(page.getByLabel(words.bundling.places.name, { exact: true }), 'By keys alone')
    await keyboard.write(page.getByLabel(common.password.label, { exact: true }), PASSWORD)
    await keyboard.enter(page.getByRole('button', { name: files.upload.start, exact: true }))
    const link = page.getByRole('region', { name: files.upload.list }).getByRole('link')
    await expect(link).toHaveAttribute('href', /\/s\/[\w-]+$/)

    const opening = page.waitForEvent('popup')
    await keyboard.enter(link, 'Shift+Tab')
    const opened = await opening
    const reader = new Keyboard(opened)
    await reader.write(opened.getByLabel(texts.locked.password, { exact: true }), PASSWORD)
    await reader.press('Enter')
    await expect(opened.getByRole('heading', { name: 'By keys alone' })).toBeVisible()
    await reader.to(opened.getByRole('grid'))
    await reader.press('End')
    await opened.keyboard.press('Enter')
    await expect(opened.getByRole('dialog', { name: 'two.txt' })).toBeVisible()
    await expect(opened.getByText('in two.txt')).toBeVisible()
    await reader.press('Escape')
    await expect(opened.getByRole('dialog')).toHaveCount(0)
    const downloading = opened.waitForEvent('download')
    await reader.enter(opened.getByRole('button', { name: texts.downloadAll }), 'Shift+Tab')
    expect((await downloading).suggestedFilename()).toMatch(/\.zip$/)
    await opened.close()

    const { data } = await admin.call(shareRoutes.list, { query: { kind: 'bundle', search: 'By keys' } })
    const id = data.shares[0]?.id ?? ''
    await page.goto(`/admin/shares/bundle/${id}`)
    const title = page.getByLabel(bundleEditing.name, { exact: true })
    await keyboard.to(title)
    await keyboard.press('ControlOrMeta+a')
    await keyboard.write(title, 'Changed by keys')
    await keyboard.to(page.getByRole('textbox', { name: words.home.editor }))
    // Leaves the editor, because the editor uses the Tab key itself.
    await keyboard.press('Escape')
    await keyboard.enter(page.getByRole('button', { name: bundleEditing.publish, exact: true }))
    await expect(page.getByText(bundleEditing.published, { exact: true })).toBeVisible()
    expect((await admin.call(bundleRoutes.detail, { params: { id } })).data).toMatchObject({ revision: 2 })

    await page.goto('/admin/shares?kind=bundle')
    await keyboard.enter(
      page.getByRole('button', { name: say(shares.actions.of, { name: 'Changed by keys' }) }),
    )
    await keyboard.pick(page.getByRole('menuitem', { name: shares.actions.delete }))
    await keyboard.enter(page.getByRole('dialog').getByRole('button', { name: shares.actions.delete }))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText('Changed by keys')).toHaveCount(0)
  })
})
