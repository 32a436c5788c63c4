import { bundleRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { type MadeSealedBundle, makeSealedBundle } from './support/sealed/bundles.ts'
import { openLink, readItem, recordRequests } from './support/sealed/links.ts'
import { expect } from './support/test.ts'
import { inOppositeWorlds, say, test, type Words } from './support/worlds.ts'

/** Edits encrypted bundles, and searches everything that the browser has sent for unencrypted contents. */

const MARKER = 'MARKER-that-nobody-may-find'
const TITLE = 'Confidential title'
const NAME = 'confidential-name'
const A = `${NAME}-a.txt`
const B = `${NAME}-b.txt`
const C = `${NAME}-c.txt`

const bytes = (text: string) => new TextEncoder().encode(text)
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const items = (page: Page, words: Words) =>
  page.getByRole('list', { name: words.bundleEditing.items.title }).getByRole('listitem')
const titleField = (page: Page, words: Words) =>
  page.getByRole('textbox', { name: words.bundleEditing.name, exact: true })
const fact = (page: Page, name: string) => page.getByRole('term').filter({ hasText: name }).locator('+ dd')
const secretsOf = ({ linkKey, proof }: MadeSealedBundle) => [MARKER, TITLE, NAME, linkKey, proof]

async function typeText(page: Page, words: Words, typed: string) {
  const editor = page.getByRole('textbox', { name: words.home.editor }).and(page.locator('.cm-content'))
  await editor.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(typed)
}

async function publish(page: Page, words: Words, revision: number) {
  await button(page, words.bundleEditing.publish).click()
  await expect(page.getByText(words.bundleEditing.published)).toBeVisible()
  await expect(fact(page, words.bundleEditing.facts.revision)).toHaveText(String(revision))
}

/** Opens the editor with a key. From then on, the browser stores the key. */
async function openEditor(page: Page, words: Words, { id, link }: MadeSealedBundle, password?: string) {
  await page.goto(`/admin/shares/bundle/${id}`)
  await page.getByLabel(words.sealedReading.key.label).fill(new URL(link, page.url()).href)
  if (password !== undefined) await page.getByLabel(words.common.password.label).fill(password)
  await button(page, words.sealedReading.key.open).click()
  await expect(titleField(page, words)).toHaveValue(TITLE)
}

const CONTENTS = {
  title: TITLE,
  page: `Hello ${MARKER}`,
  files: { [A]: bytes(`${MARKER} a`), [B]: bytes(`${MARKER} b`) },
}

inOppositeWorlds(() => {
  test('an encrypted bundle is edited and restored, and a removed file has left what readers get', async ({
    adminPage: page,
    admin,
    adminToken,
    baseURL,
    words,
    press,
  }) => {
    const made = await makeSealedBundle({ admin, adminToken, baseURL }, CONTENTS)
    const link = new URL(made.link, baseURL).href
    const sent = recordRequests(page)
    await openEditor(page, words, made)
    await expect(items(page, words)).toHaveText([new RegExp(A), new RegExp(B)])
    await expectAccessible(page, 'editor of an encrypted bundle')

    await typeText(page, words, `Hello again ${MARKER}`)
    await press(button(page, say(words.bundleEditing.items.more, { name: A })))
    await press(page.getByRole('menuitem', { name: words.bundleEditing.items.remove, exact: true }))
    const choosing = page.waitForEvent('filechooser')
    await press(button(page, words.bundleEditing.items.add))
    const added = { name: C, mimeType: 'text/plain', buffer: Buffer.from(`${MARKER} c`) }
    await (await choosing).setFiles([added])
    await press(button(page, say(words.bundleEditing.items.up, { name: C })))
    await publish(page, words, 2)
    const second = await openLink(admin, link)
    expect(second.manifest).toMatchObject({
      title: TITLE,
      page: { type: 'text/markdown', text: `Hello again ${MARKER}` },
      items: [{ path: C }, { path: B }],
    })
    const read = async (path: string) => Buffer.from(await readItem(admin, second, path, baseURL)).toString()
    expect(await read(B)).toBe(`${MARKER} b`)
    expect(await read(C)).toBe(`${MARKER} c`)
    // The removed file shared an object with another file. Readers can no longer open that object.
    const [pack] = made.manifest.objects
    expect(second.manifest.objects.map(({ dek }) => dek)).not.toContain(pack?.dek)

    await button(page, words.bundleEditing.versions).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText(C)).toBeVisible()
    await expect(dialog.locator('mark').filter({ hasText: 'again' })).toBeVisible()
    await dialog
      .getByRole('button', { name: say(words.bundleEditing.history.number, { number: '1' }) })
      .click()
    await button(page, words.bundleEditing.history.restore).click()
    await page
      .getByRole('dialog', { name: say(words.bundleEditing.history.restoreTitle, { number: '1' }) })
      .getByRole('button', { name: words.bundleEditing.history.restore })
      .click()
    await expect(items(page, words)).toHaveText([new RegExp(A), new RegExp(B)])
    const third = await openLink(admin, link)
    expect(third.manifest).toEqual(made.manifest)
    expect(Buffer.from(await readItem(admin, third, A, baseURL)).toString()).toBe(`${MARKER} a`)
    const { data: own } = await admin.call(bundleRoutes.detail, { params: { id: made.id } })
    expect(own).toMatchObject({ revision: 3, title: null, manifest: null })
    for (const secret of secretsOf(made)) expect(sent.join('\n')).not.toContain(secret)
    expect(await page.title()).not.toContain(made.linkKey)
  })

  test('without the key nothing is shown: a wrong one is refused, the right one is kept', async ({
    adminPage: page,
    admin,
    adminToken,
    baseURL,
    words,
  }) => {
    const made = await makeSealedBundle({ admin, adminToken, baseURL }, { ...CONTENTS, password: MARKER })
    const sent = recordRequests(page)
    await page.goto(`/admin/shares/bundle/${made.id}`)
    const key = page.getByLabel(words.sealedReading.key.label)
    const password = page.getByLabel(words.common.password.label, { exact: true })
    const open = button(page, words.sealedReading.key.open)
    await expect(titleField(page, words)).toHaveCount(0)
    await key.fill('not a key')
    await open.click()
    await expect(page.getByText(words.sealedReading.key.characters)).toBeVisible()
    await key.fill('A'.repeat(43))
    await password.fill(MARKER)
    await open.click()
    await expect(page.getByText(words.sealedReading.password.wrong)).toBeVisible()
    await expectAccessible(page, 'editor of an encrypted bundle without its key')
    await key.fill(made.linkKey)
    await open.click()
    await expect(titleField(page, words)).toHaveValue(TITLE)
    await page.reload()
    await expect(password).toBeVisible()
    await expect(key).toHaveCount(0)
    await password.fill('wrong')
    await open.click()
    await expect(page.getByText(words.sealedReading.password.wrong)).toBeVisible()
    await password.fill(MARKER)
    await open.click()
    await titleField(page, words).fill(`${TITLE} 2`)
    await publish(page, words, 2)
    // The page already has the keys, so the form is filled in without asking for a key.
    await expect(titleField(page, words)).toHaveValue(`${TITLE} 2`)
    await button(page, words.bundleEditing.settings).click()
    await expect(page.getByText(words.sealing.noPasswordChange)).toBeVisible()
    await page.keyboard.press('Escape')
    await button(page, words.bundleEditing.back).click()
    await expect(page.getByText(`${TITLE} 2`)).toBeVisible()
    for (const secret of secretsOf(made)) expect(sent.join('\n')).not.toContain(secret)
  })

  test('two edits of an encrypted bundle at once: neither is lost', async ({
    adminPage: page,
    admin,
    adminToken,
    baseURL,
    context,
    words,
  }) => {
    const made = await makeSealedBundle({ admin, adminToken, baseURL }, CONTENTS)
    await openEditor(page, words, made)
    await titleField(page, words).fill('Mine')
    const other = await context.newPage()
    await other.goto(`/admin/shares/bundle/${made.id}`)
    await titleField(other, words).fill('Theirs')
    await publish(other, words, 2)
    await button(page, words.bundleEditing.publish).click()
    const dialog = page.getByRole('dialog', { name: words.bundleEditing.changed.title })
    await expect(dialog.locator('del').filter({ hasText: 'Theirs' })).toBeVisible()
    await dialog.getByRole('button', { name: words.bundleEditing.changed.takeMine }).click()
    await expect(fact(page, words.bundleEditing.facts.revision)).toHaveText('3')
    const { manifest } = await openLink(admin, new URL(made.link, baseURL).href)
    expect(manifest).toMatchObject({ title: 'Mine', items: [{ path: A }, { path: B }] })
  })
})
