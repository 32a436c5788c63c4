import {
  authRoutes,
  apiKeyRoutes,
  managedPasteRoutes,
  operationRoutes,
  pasteRoutes,
} from '@dropleaf/contract'
import type { BrowserContext } from '@playwright/test'
import { adminWords } from '../apps/web/src/locales/en-US/admin/index.ts'
import { queue as words } from '../apps/web/src/locales/en-US/queue.ts'
import { textViewWords } from '../apps/web/src/locales/en-US/text-view-words.ts'
import { logIn } from './support/api.ts'
import { workerReady } from './support/offline.ts'
import { logInAsAdmin, logInWithKey } from './support/pages.ts'
import { Traveller } from './support/queue.ts'
import { ADMIN_PASSWORD, expect, test as base } from './support/test.ts'

/**
 * Changes without a line: each step goes offline before, during or after a kind of change, and ends with looking at the
 * server: what was asked for is there, once.
 */
interface Fixtures {
  /** In a browser that several journeys share: its service worker is there already. */
  traveller: Traveller
}

const test = base.extend<Fixtures, { home: BrowserContext }>({
  home: [
    async ({ browser, server, adminToken }, use) => {
      const context = await browser.newContext({
        baseURL: server.origin,
        locale: 'en-US',
        reducedMotion: 'reduce',
        serviceWorkers: 'allow',
      })
      const page = await context.newPage()
      await page.goto('/api/health')
      await page.evaluate((token) => localStorage.setItem('admin_token', token), adminToken)
      await page.goto('/')
      await workerReady(page)
      await page.close()
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],
  traveller: async ({ home, admin }, use) => {
    const page = await home.newPage()
    await page.goto('/')
    await use(new Traveller(page, admin))
    await home.setOffline(false)
    await page.close()
  },
})

const { textView } = textViewWords
const { step } = test

test('texts that are shared over a bad line are there once', async ({ traveller }) => {
  const { page } = traveller
  await step('offline before', async () => {
    await traveller.leave()
    await traveller.share('q1 before the line broke')
    await expect(page.getByText('Kept on this device')).toBeVisible()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    await expect(page.getByText('Successfully synced 1 offline operation')).toBeVisible()
    expect(await traveller.countTexts('q1 before')).toBe(1)
  })
  await step('cut off before it arrives', async () => {
    await page.route('**/api/paste', (route) => route.abort('connectionreset'), { times: 1 })
    await traveller.share('q2 never arrived')
    await traveller.sent('q2 never', 1)
  })
  await step('cut off after it was done: the answer is lost', async () => {
    await traveller.loseAnswer('**/api/paste', 'POST')
    await traveller.share('q3 the answer was lost')
    await traveller.sent('q3 the answer', 1)
    await page.unrouteAll({ behavior: 'wait' })
  })
  await step('two, one after the other', async () => {
    await traveller.leave()
    await traveller.share('q4 first of two')
    await traveller.waits(1)
    await traveller.share('q4 second of two')
    await traveller.waits(2)
    await traveller.back()
    await traveller.settled()
    expect(await traveller.countTexts('q4')).toBe(2)
  })
})

test('what is shared keeps its password, its length, and waits for a server that is away', async ({
  traveller,
}) => {
  const { page } = traveller
  await step('with a password, which the queue keeps sealed', async () => {
    await traveller.leave()
    await traveller.share('q5 behind a password', { suffix: 'q5-locked', password: 'open sesame' })
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    await page.goto('/paste/q5-locked')
    await page.getByLabel('Password', { exact: true }).fill('open sesame')
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(page.getByText('q5 behind a password')).toBeVisible()
  })
  await step('a long one', async () => {
    await page.goto('/')
    await traveller.leave()
    await traveller.share(`q6 a long text\n${'a line of text\n'.repeat(1000)}`)
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    expect(await traveller.countTexts('q6 a long')).toBe(1)
  })
  await step('the server is away, not the line', async () => {
    let refusals = 0
    await page.route('**/api/paste', (route) => {
      refusals += 1
      return refusals <= 2 ? route.abort('connectionrefused') : route.fallback()
    })
    await traveller.share('q7 nobody answers')
    await traveller.sent('q7 nobody', 1)
    await page.unrouteAll({ behavior: 'wait' })
  })
})

test('a suffix that was taken meanwhile asks for another, and the text waits', async ({
  traveller,
  admin,
}) => {
  const { page } = traveller
  await step('another suffix is typed', async () => {
    await traveller.leave()
    await traveller.share('q8 mine', { suffix: 'q8-taken' })
    await traveller.waits(1)
    await admin.call(pasteRoutes.create, { body: { content: 'q8 theirs', slug: 'q8-taken' } })
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q8 mine')).toContainText(words.conflict.slug_taken)
    await traveller.entry('q8 mine').getByLabel(words.suffix).fill('q8-mine')
    await page.getByRole('button', { name: words.useSuffix }).click()
    await traveller.settled()
    expect(await traveller.textOf('q8-mine')).toBe('q8 mine')
    expect(await traveller.textOf('q8-taken')).toBe('q8 theirs')
  })
  await step('a random one is taken', async () => {
    await traveller.leave()
    await traveller.share('q9 mine', { suffix: 'q8-taken' })
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.randomSuffix }).click()
    await traveller.settled()
    expect(await traveller.countTexts('q9 mine')).toBe(1)
  })
  await step('it is given up, and its text is in the drafts', async () => {
    await traveller.leave()
    await traveller.share('q10 given up', { suffix: 'q8-taken' })
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.drop }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
    await traveller.settled()
    await page.getByRole('link', { name: 'Dropleaf' }).click()
    await page.getByRole('button', { name: 'Drafts' }).click()
    await expect(page.getByRole('dialog')).toContainText('q10 given up')
    expect(await traveller.countTexts('q10')).toBe(0)
  })
})

test('a text that is edited over a bad line is saved once, and never over another’s', async ({
  traveller,
  admin,
}) => {
  const { page } = traveller
  const create = (slug: string) =>
    admin.call(pasteRoutes.create, { body: { content: `${slug} before`, slug } })
  await step('offline before the save', async () => {
    await create('q11')
    await traveller.beginEdit('q11')
    await traveller.leave()
    await traveller.save('q11 after')
    await expect(page.getByText('q11 after')).toBeVisible()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    expect([await traveller.textOf('q11'), await traveller.earlier('q11')]).toEqual(['q11 after', 1])
  })
  await step('the answer is lost', async () => {
    await create('q12')
    await traveller.beginEdit('q12')
    await traveller.loseAnswer('**/api/admin/pastes/*', 'PUT')
    await traveller.save('q12 after')
    await expect.poll(() => traveller.textOf('q12')).toBe('q12 after')
    await traveller.settled()
    expect([await traveller.textOf('q12'), await traveller.earlier('q12')]).toEqual(['q12 after', 1])
    await page.unrouteAll({ behavior: 'wait' })
  })
  await step('edited elsewhere: mine over theirs', async () => {
    await create('q13')
    await traveller.beginEdit('q13')
    await traveller.leave()
    await traveller.save('q13 mine')
    await admin.call(pasteRoutes.adminUpdate, { params: { id: 'q13' }, body: { content: 'q13 theirs' } })
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q13 mine')).toContainText(words.conflict.changed)
    await page.getByRole('button', { name: words.compare }).click()
    await expect(page.getByRole('dialog')).toContainText('q13 theirs')
    await page.getByRole('dialog').getByRole('button', { name: textView.changed.takeMine }).click()
    await traveller.settled()
    expect([await traveller.textOf('q13'), await traveller.earlier('q13')]).toEqual(['q13 mine', 2])
  })
  await step('edited elsewhere: theirs stays, mine is in the drafts', async () => {
    await create('q14')
    await traveller.beginEdit('q14')
    await traveller.leave()
    await traveller.save('q14 mine')
    await admin.call(pasteRoutes.adminUpdate, { params: { id: 'q14' }, body: { content: 'q14 theirs' } })
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.compare }).click()
    await page.getByRole('dialog').getByRole('button', { name: textView.changed.takeTheirs }).click()
    await traveller.settled()
    expect(await traveller.textOf('q14')).toBe('q14 theirs')
    await traveller.beginEdit('q14')
    await page.getByRole('button', { name: 'Drafts' }).click()
    await expect(page.getByRole('dialog')).toContainText('q14 mine')
  })
  await step('edited elsewhere: both stay, each as a text of its own', async () => {
    await create('q15')
    await traveller.beginEdit('q15')
    await traveller.leave()
    await traveller.save('q15 mine')
    await admin.call(pasteRoutes.adminUpdate, { params: { id: 'q15' }, body: { content: 'q15 theirs' } })
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.asNew }).click()
    await traveller.settled()
    expect(await traveller.textOf('q15')).toBe('q15 theirs')
    expect(await traveller.countTexts('q15')).toBe(2)
  })
  await step('deleted elsewhere', async () => {
    await create('q16')
    await traveller.beginEdit('q16')
    await traveller.leave()
    await traveller.save('q16 mine')
    await admin.call(managedPasteRoutes.adminDelete, { params: { id: 'q16' } })
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q16 mine')).toContainText(words.conflict.gone)
    await page.getByRole('button', { name: words.asNew }).click()
    await traveller.settled()
    expect(await traveller.countTexts('q16 mine')).toBe(1)
  })
})

test('what is deleted, cleaned and set over a bad line is done', async ({ traveller, admin }) => {
  const { page } = traveller
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const removeRow = async (slug: string) => {
    await page.getByRole('button', { name: `More for “${slug}”` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  }
  for (const slug of ['q17', 'q18', 'q19', 'q20-a', 'q20-b'])
    await admin.call(pasteRoutes.create, { body: { content: `${slug} text`, slug } })
  await page.goto('/admin/text-management?q=q')
  await expect(row('q17')).toBeVisible()
  await step('a deletion, offline', async () => {
    await traveller.leave()
    await removeRow('q17')
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    expect(await traveller.countTexts('q17')).toBe(0)
  })
  await step('a deletion whose answer is lost', async () => {
    await traveller.loseAnswer('**/batch-delete', 'POST')
    await removeRow('q18')
    await traveller.sent('q18', 0)
    await page.unrouteAll({ behavior: 'wait' })
  })
  await step('a deletion of what is deleted elsewhere meanwhile', async () => {
    await traveller.leave()
    await removeRow('q19')
    await traveller.waits(1)
    await admin.call(managedPasteRoutes.adminDelete, { params: { id: 'q19' } })
    await traveller.back()
    await traveller.settled()
  })
  await step('many at once, offline', async () => {
    await page.goto('/admin/text-management?q=q20')
    await expect(row('q20-b')).toBeVisible()
    await traveller.leave()
    await page.getByRole('checkbox').first().check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    expect(await traveller.countTexts('q20-')).toBe(0)
  })
  await step('settings, offline', async () => {
    await page.goto('/admin/settings')
    const size = page.getByLabel('Largest file')
    await expect(size).toBeVisible()
    await traveller.leave()
    await size.fill('321')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    const { data } = await admin.call(operationRoutes.readSettings)
    expect(data).toContainEqual(expect.objectContaining({ key: 'max_upload_size', value: '321' }))
  })
  await step('settings whose answer is lost', async () => {
    await traveller.loseAnswer('**/system-settings', 'PUT')
    await page.getByLabel('Largest file').fill('322')
    await page.getByRole('button', { name: 'Save', exact: true }).first().click()
    await expect
      .poll(async () => (await admin.call(operationRoutes.readSettings)).data)
      .toContainEqual(expect.objectContaining({ key: 'max_upload_size', value: '322' }))
    await traveller.settled()
    await page.unrouteAll({ behavior: 'wait' })
  })
  await step('what is over is removed, offline', async () => {
    await admin.call(pasteRoutes.create, {
      body: { content: 'q25 over', slug: 'q25', expiresAt: new Date(Date.now() + 1000).toISOString() },
    })
    await page.goto('/admin/text-management?q=q25')
    await expect(row('q25')).toBeVisible()
    await traveller.leave()
    await page.getByRole('button', { name: adminWords.texts.clean }).click()
    await page.getByRole('dialog').getByRole('button', { name: adminWords.texts.clean }).click()
    await traveller.waits(1)
    await traveller.back()
    await traveller.settled()
    await expect.poll(() => traveller.countTexts('q25')).toBe(0)
  })
})

test('queues outlive tabs, reloads and logouts, and belong to one person', async ({
  traveller,
  home: context,
  admin,
  server,
}) => {
  const { page } = traveller
  await step('two tabs', async () => {
    const other = new Traveller(await context.newPage(), admin)
    await other.page.goto('/')
    await traveller.leave()
    await traveller.share('q21 of one tab')
    await other.share('q21 of another')
    await traveller.waits(2)
    await other.waits(2)
    await traveller.back()
    await traveller.settled()
    await other.settled()
    expect(await traveller.countTexts('q21')).toBe(2)
    await other.page.close()
  })
  await step('the tab is closed before the line is back', async () => {
    const other = new Traveller(await context.newPage(), admin)
    await other.page.goto('/')
    await traveller.leave()
    await other.share('q22 of a closed tab')
    await other.waits(1)
    await other.page.close()
    await traveller.back()
    await page.reload()
    await traveller.sent('q22', 1)
  })
  await step('a logout: nothing is sent until the same person is back', async () => {
    const { data } = await admin.call(apiKeyRoutes.create, {
      body: { name: 'q23', text_permission: true, expires_at: 'never' },
    })
    await traveller.leave()
    await traveller.share('q23 of the administrator')
    await traveller.waits(1)
    await page.route('**/api/**', (route) => route.abort())
    await traveller.back()
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.unrouteAll({ behavior: 'wait' })
    await logInWithKey(page, data.key)
    await expect(traveller.chip()).toHaveCount(0)
    expect(await traveller.countTexts('q23')).toBe(0)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.goto('/admin')
    await logInAsAdmin(page, { password: ADMIN_PASSWORD })
    await expect.poll(() => traveller.countTexts('q23')).toBe(1)
    await traveller.settled()
  })
  await step('a session that has ended when the line is back', async () => {
    await traveller.leave()
    await traveller.share('q24 of an ended session')
    await traveller.waits(1)
    const token = await page.evaluate(() => localStorage.getItem('admin_token') ?? '')
    const ending = await fetch(server.origin + authRoutes.logout.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(ending.status).toBe(200)
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q24')).toContainText(words.status.login)
    expect(await traveller.countTexts('q24')).toBe(0)
    const fresh = await logIn(server.origin, ADMIN_PASSWORD)
    await page.evaluate((value) => localStorage.setItem('admin_token', value), fresh)
    await page.reload()
    await traveller.sent('q24', 1)
  })
})
