import type { Browser } from '@playwright/test'
import { editor, publish, writeText } from './support/pages.ts'
import { expect, test } from './support/test.ts'

/** Opens a page as a visitor with empty browser storage. */
async function visit(browser: Browser, address: string) {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  return page
}

test('a text with password and two views is read twice, and the third visitor sees that it is used up', async ({
  browser,
  adminPage: page,
}) => {
  await page.goto('/')
  await writeText(page, '# Dinner\n\nWe meet at *seven*.')
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await page.getByLabel('View limit').fill('2')
  await page.getByLabel('Opening').selectOption({ label: 'Open directly' })
  const link = await publish(page)

  for (const visitor of ['first', 'second']) {
    const reader = await visit(browser, link)
    await expect(reader.getByText('This share is protected by a password'), visitor).toBeVisible()
    await expect(reader.getByText('We meet')).toHaveCount(0)
    await reader.getByLabel('Password', { exact: true }).fill('wrong')
    await reader.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(reader.getByText('The password is wrong')).toBeVisible()
    await reader.getByLabel('Password', { exact: true }).fill('open sesame')
    await reader.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(reader.getByRole('heading', { name: 'Dinner' })).toBeVisible()
    await expect(reader.getByText('seven')).toHaveCSS('font-style', 'italic')
    await reader.context().close()
  }
  const third = await visit(browser, link)
  await expect(third.getByRole('heading', { name: 'This share has no views left' })).toBeVisible()
  await third.context().close()
})

test('an open text counts one view for each visit', async ({ browser, adminPage: page }) => {
  await page.goto('/')
  await writeText(page, 'short lived')
  await page.getByLabel('View limit').fill('1')
  await page.getByLabel('Opening').selectOption({ label: 'Open directly' })
  const link = await publish(page)
  const reader = await visit(browser, link)
  await expect(reader.getByText('short lived')).toBeVisible()
  await expect(reader.getByText('This was the last view')).toBeVisible()
  await reader.reload()
  await expect(reader.getByRole('heading', { name: 'This share has no views left' })).toBeVisible()
  await reader.context().close()
})

test('recent shares show their remark or first words, unless there is a password', async ({
  adminPage: page,
}) => {
  await page.goto('/')
  await writeText(page, '## Plans for the lake\n\nTwo tents.')
  await publish(page)
  await writeText(page, 'words behind a password')
  await page.getByLabel('Password', { exact: true }).fill('open sesame')
  await publish(page)
  await page.getByRole('button', { name: 'Show recent shares' }).click()
  const recent = page.getByRole('region', { name: 'Recent shares' })
  await expect(recent.getByText('Plans for the lake', { exact: true })).toBeVisible()
  const kept = await page.evaluate(() =>
    Object.entries(localStorage).flatMap(([key, value]) => (key.includes('recent_shares') ? [value] : [])),
  )
  expect(kept.join()).toContain('Plans for the lake')
  expect(kept.join()).not.toContain('behind a password')
})

test('text typed before the app has loaded stays, with its cursor', async ({ adminPage: page }) => {
  await page.goto('/')
  await editor(page).waitFor()
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/main-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations())
      await registration.unregister()
  })
  await page.reload()
  const early = page.locator('#early textarea')
  await expect(early).toHaveAttribute('placeholder', 'Type or paste here…')
  const place = await early.boundingBox()
  await early.click()
  await page.keyboard.type('before the app')
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowLeft')
  release()
  await expect(page.locator('#early')).toHaveCount(0)
  await expect(editor(page)).toContainText('before the app')
  await expect(page.locator('.cm-content')).toBeFocused()
  expect(await page.locator('.cm-content').boundingBox()).toMatchObject({ x: place?.x, y: place?.y })
  await page.keyboard.type('all of ')
  await expect(editor(page)).toContainText('before theall of  app')
})

test('a taken suffix is reported at its field and loses no text', async ({ adminPage: page }) => {
  await page.goto('/')
  await writeText(page, 'one')
  await page.getByLabel('Custom link').fill('my-notes')
  await publish(page)
  await writeText(page, 'two')
  await page.getByLabel('Custom link').fill('my-notes')
  await page.getByRole('button', { name: 'Create share' }).click()
  await expect(page.getByText('This custom link is already taken. Try another one')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Text to share' })).toContainText('two')
})

test('a script in a shared text is not run', async ({ browser, adminPage: page }) => {
  await page.goto('/')
  await writeText(
    page,
    'before <img src=x onerror="document.title=\'owned\'"> <script>document.title="owned"</script> after',
  )
  const reader = await visit(browser, await publish(page))
  await expect(reader.getByText('before')).toBeVisible()
  await expect(reader).not.toHaveTitle(/owned/)
  await reader.context().close()
})

test('a text that is too large is rejected before it is sent, and can be shared as a file', async ({
  adminPage: page,
}) => {
  const line = `${'一行文字'.repeat(20)}\n`
  await page.goto('/')
  await expect(page.locator('.cm-content')).toBeVisible()
  let sent = 0
  await page.route('**/api/paste', (route) => {
    sent += 1
    return route.fallback()
  })
  await page.locator('.cm-content').evaluate((field, text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, line.repeat(46_000))
  await expect(page.getByRole('alert')).toContainText('The text is larger than 10 MB')
  await page.getByRole('button', { name: 'Create share' }).click()
  await page.getByRole('button', { name: 'Share as a file' }).click()
  await expect(page).toHaveURL(/\/upload/)
  await expect(page.getByRole('region', { name: 'Files to upload' })).toContainText('text.md')
  expect(sent).toBe(0)
})
