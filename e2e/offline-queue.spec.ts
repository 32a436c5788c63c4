import {
  authRoutes,
  apiKeyRoutes,
  fsListingRoutes,
  managedPasteRoutes,
  operationRoutes,
  pasteRoutes,
} from '@dropleaf/contract'
import { adminWords } from '../apps/web/src/locales/en-US/admin/index.ts'
import { queue as words } from '../apps/web/src/locales/en-US/queue.ts'
import { textViewWords } from '../apps/web/src/locales/en-US/text-view-words.ts'
import { logIn } from './support/api.ts'
import { test } from './support/offline.ts'
import { logInAsAdmin, logInWithKey } from './support/pages.ts'
import { BROKEN_LINES, Traveller } from './support/queue.ts'
import { ADMIN_PASSWORD, expect } from './support/test.ts'

/**
 * Tests changes over connections that break before, during or after a change. The server must receive each change
 * exactly once.
 */

/** Makes queued changes older by some milliseconds. */
const askEarlier = (byMs: number) =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('dropleaf-offline')
    opening.addEventListener('error', () => reject(new Error('The database does not open.')))
    opening.addEventListener('success', () => {
      const database = opening.result
      const store = database.transaction('offlineQueue', 'readwrite').objectStore('offlineQueue')
      store.openCursor().addEventListener('success', ({ target }) => {
        const cursor = (target as IDBRequest<IDBCursorWithValue | null>).result
        if (!cursor) {
          database.close()
          return resolve()
        }
        const row = cursor.value as { timestamp: number; data: { expiresAt: string } }
        row.timestamp -= byMs
        row.data.expiresAt = new Date(Date.parse(row.data.expiresAt) - byMs).toISOString()
        cursor.update(row)
        return cursor.continue()
      })
    })
  })

/** Reads the requests in the queue of the page. */
const readQueue = () =>
  new Promise<unknown>((resolve, reject) => {
    const opening = indexedDB.open('dropleaf-offline')
    opening.addEventListener('error', () => reject(new Error('The database does not open.')))
    opening.addEventListener('success', () => {
      const database = opening.result
      const all = database.transaction('offlineQueue').objectStore('offlineQueue').getAll()
      all.addEventListener('success', () => {
        database.close()
        resolve(all.result)
      })
    })
  })

const { textView } = textViewWords
const { step } = test

test('texts shared over an unreliable connection exist once', async ({ traveller }) => {
  const { page } = traveller
  for (const line of BROKEN_LINES)
    await step(`the connection breaks: ${line}`, async () => {
      await page.goto('/')
      await traveller.over(line, { method: 'POST', address: '**/api/paste' }, async () => {
        await traveller.share(`q1 ${line}`)
        await expect(page.getByText('Saved on this device')).toBeVisible()
      })
      expect(await traveller.countTexts(`q1 ${line}`)).toBe(1)
    })
  await step('two, one after another', async () => {
    await traveller.leave()
    await traveller.share('q4 of two, the first')
    await traveller.waits(1)
    await traveller.share('q4 of two, the second')
    await traveller.waits(2)
    await traveller.back()
    await traveller.settled()
    expect(await traveller.countTexts('q4 of two')).toBe(2)
  })
})

test('a text shared offline shows its link once it is sent', async ({ traveller }) => {
  const { page } = traveller
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await traveller.leave()
  await traveller.share('q9 written on a train')
  await traveller.waits(1)
  await traveller.back()
  await traveller.settled()
  const notice = page.getByText(words.toasts.shared_one)
  await expect(notice).toContainText(/\/paste\/\S+/)
  const link = /\S+\/paste\/\S+/.exec((await notice.textContent()) ?? '')?.[0] ?? ''
  await step('the link is copied from the notice', async () => {
    await page.getByRole('button', { name: words.toasts.copy_one }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  })
  await step('in recent shares', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Show recent shares' }).click()
    const recent = page.getByRole('listitem').filter({ hasText: 'q9 written on a train' })
    await expect(recent.getByRole('link')).toHaveAttribute('href', link)
  })
  await step('on the page of pending changes', async () => {
    await page.goto('/offline')
    await expect(
      page.getByRole('region', { name: words.sent }).getByRole('link', { name: link }),
    ).toBeVisible()
  })
  await page.goto(link)
  await expect(page.getByText('q9 written on a train')).toBeVisible()
})

test('an encrypted text made offline waits encrypted, and its link opens it once it is sent', async ({
  traveller,
}) => {
  const { page } = traveller
  const text = 'q10 only for holders of the link'
  await page.goto('/')
  await page.getByRole('checkbox', { name: 'End-to-end encrypted' }).check()
  await traveller.leave()
  await traveller.share(text)
  await expect(page.getByText('Saved on this device')).toBeVisible()
  await traveller.waits(1)
  expect(JSON.stringify(await page.evaluate(readQueue))).not.toContain('q10')
  await traveller.back()
  await traveller.settled()
  const notice = page.getByText(words.toasts.shared_one)
  await expect(notice).toContainText(/\/s\/\S+#\S{43}/)
  const link = /\S+\/s\/\S+#\S+/.exec((await notice.textContent()) ?? '')?.[0] ?? ''
  await page.goto('/offline')
  await expect(page.getByRole('region', { name: words.sent }).getByRole('link', { name: link })).toBeVisible()
  await page.goto(link)
  await expect(page.getByText(text)).toBeVisible()
})

test('a share keeps its password and length, and waits for an unreachable server', async ({ traveller }) => {
  const { page } = traveller
  await step('with a password, which the queue encrypts', async () => {
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
  await step('the server is unreachable, not the network', async () => {
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

test('a share opened while the queue is sent takes one view', async ({ traveller, admin }) => {
  const { page } = traveller
  const slug = 'q27-counted'
  await admin.call(pasteRoutes.create, { body: { content: 'q27 read once', slug, maxViews: 3 } })
  await traveller.leave()
  await traveller.share('q27 waits')
  await traveller.waits(1)
  await page.route('**/api/paste', (route) => route.abort('connectionrefused'))
  await traveller.back()
  const attempt = page.waitForEvent('requestfailed', (request) => request.method() === 'POST')
  await page.goto(`/paste/${slug}`)
  await expect(page.getByText('q27 read once')).toBeVisible()
  await attempt
  // The change is retried automatically, so it does not count as failed yet.
  await traveller.waits(1)
  await expect(page.getByText(words.toasts.failed)).toHaveCount(0)
  await page.unrouteAll({ behavior: 'wait' })
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await traveller.sent('q27 waits', 1)
  await expect(page.getByText('q27 read once')).toBeVisible()
  const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: slug } })
  expect(data.views).toBe(1)
})

test('a suffix that is taken meanwhile needs another one, and the text waits', async ({
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
  await step('a random one is chosen', async () => {
    await traveller.leave()
    await traveller.share('q9 mine', { suffix: 'q8-taken' })
    await traveller.waits(1)
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.randomSuffix }).click()
    await traveller.settled()
    expect(await traveller.countTexts('q9 mine')).toBe(1)
  })
  await step('a text expires before it is sent: its expiry restarts', async () => {
    await traveller.leave()
    await page.getByRole('link', { name: 'Dropleaf' }).click()
    await page.getByLabel('Expires after').selectOption({ label: '1 hour' })
    await traveller.share('q28 for an hour', { suffix: 'q28' })
    await traveller.waits(1)
    await page.evaluate(askEarlier, 2 * 3600 * 1000)
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q28')).toContainText(words.conflict.overdue)
    expect(await traveller.countTexts('q28 for an hour')).toBe(0)
    await page.getByRole('button', { name: words.fromNowOn }).click()
    await traveller.settled()
    const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: 'q28' } })
    expect(Date.parse(data.expires_at ?? '')).toBeGreaterThan(Date.now())
  })
  await step('it is discarded, and its text becomes a draft', async () => {
    await traveller.leave()
    await traveller.share('q10 given up', { suffix: 'q8-taken' })
    await traveller.waits(1)
    await traveller.back()
    await traveller.openQueue()
    await page.getByRole('button', { name: words.drop }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
    await traveller.settled()
    await page.getByRole('link', { name: 'Dropleaf' }).click()
    await page.getByRole('button', { name: 'Drafts' }).click()
    await expect(page.getByRole('dialog')).toContainText('q10 given up')
    expect(await traveller.countTexts('q10 given up')).toBe(0)
  })
})

test('a text edited over an unreliable connection is saved once, and never over another’s', async ({
  traveller,
  admin,
}) => {
  const { page } = traveller
  const create = (slug: string) =>
    admin.call(pasteRoutes.create, { body: { content: `${slug} before`, slug } })
  for (const [index, line] of BROKEN_LINES.entries())
    await step(`the connection breaks: ${line}`, async () => {
      const slug = `q11-${index}`
      await create(slug)
      await traveller.beginEdit(slug)
      await traveller.over(line, { method: 'PUT', address: '**/api/admin/pastes/*' }, () =>
        traveller.save(`${slug} after`),
      )
      expect([await traveller.textOf(slug), await traveller.earlier(slug)]).toEqual([`${slug} after`, 1])
    })
  await step('several edits and a reload: each builds on the previous one', async () => {
    await create('q12')
    await traveller.beginEdit('q12')
    await traveller.leave()
    await page.getByLabel('Title').fill('q12 remark')
    await page.getByLabel('View limit').fill('5')
    await traveller.save('q12 first')
    await traveller.waits(1)
    await page.reload()
    await expect(page.getByText('q12 first')).toBeVisible()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(page.getByLabel('Title')).toHaveValue('q12 remark')
    await traveller.save('q12 second')
    await traveller.waits(2)
    await traveller.back()
    await traveller.settled()
    const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: 'q12' } })
    expect(data).toMatchObject({ content: 'q12 second', remark: 'q12 remark', max_views: 5 })
    expect(await traveller.earlier('q12')).toBe(2)
  })
  await step('a new password is not lost because the text is equal elsewhere', async () => {
    await create('q26')
    await traveller.beginEdit('q26')
    await traveller.leave()
    await page.getByRole('combobox', { name: 'Password' }).selectOption({ label: 'Set a password' })
    await page.getByLabel('New password').fill('open sesame')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await traveller.waits(1)
    const body = { content: 'q26 before', maxViews: 7 }
    await admin.call(pasteRoutes.adminUpdate, { params: { id: 'q26' }, body })
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q26 before')).toContainText(words.conflict.changed)
    await page.getByRole('button', { name: words.compare }).click()
    await page.getByRole('dialog').getByRole('button', { name: textView.changed.takeMine }).click()
    await traveller.settled()
    const { data } = await admin.call(pasteRoutes.adminRead, { params: { id: 'q26' } })
    expect(Boolean(data.has_password)).toBe(true)
  })
  await step('two tabs: the second does not replace what the first has saved', async () => {
    await create('q27')
    const other = new Traveller(await page.context().newPage(), admin)
    await other.beginEdit('q27')
    await traveller.beginEdit('q27')
    await traveller.leave()
    await other.save('q27 of another tab')
    await other.waits(1)
    await traveller.save('q27 of this tab')
    await traveller.waits(2)
    await other.page.close()
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q27 of this')).toContainText(words.conflict.changed)
    expect(await traveller.textOf('q27')).toBe('q27 of another tab')
    await page.getByRole('button', { name: words.drop }).click()
    await page.getByRole('dialog').getByRole('button', { name: words.drop }).click()
    await traveller.settled()
  })
  await step('edited elsewhere: mine over theirs', async () => {
    await create('q13')
    await traveller.beginEdit('q13')
    await traveller.leave()
    await traveller.save('q13 mine')
    await traveller.waits(1)
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
  await step('edited elsewhere: theirs stays, mine becomes a draft', async () => {
    await create('q14')
    await traveller.beginEdit('q14')
    await traveller.leave()
    await traveller.save('q14 mine')
    await traveller.waits(1)
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
  await step('edited elsewhere: both stay, as two texts', async () => {
    await create('q15')
    await traveller.beginEdit('q15')
    await traveller.leave()
    await traveller.save('q15 mine')
    await traveller.waits(1)
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
    await traveller.waits(1)
    await admin.call(managedPasteRoutes.adminDelete, { params: { id: 'q16' } })
    await traveller.back()
    await traveller.openQueue()
    await expect(traveller.entry('q16 mine')).toContainText(words.conflict.gone)
    await page.getByRole('button', { name: words.asNew }).click()
    await traveller.settled()
    expect(await traveller.countTexts('q16 mine')).toBe(1)
  })
})

test('deletions, cleanups and settings over an unreliable connection take effect', async ({
  traveller,
  admin,
}) => {
  const { page } = traveller
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })
  const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name }).click()
  const create = (slug: string, seconds?: number) =>
    admin.call(pasteRoutes.create, {
      body: {
        content: `${slug} text`,
        slug,
        ...(seconds && { expiresAt: new Date(Date.now() + seconds * 1000).toISOString() }),
      },
    })
  const removeRow = async (slug: string) => {
    await page.getByRole('button', { name: `More actions for “${slug}”` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await confirm('Delete')
  }
  const showTexts = async (search: string) => {
    await page.goto(`/admin/text-management?q=${search}`)
    await expect(row(search).first()).toBeVisible()
  }
  for (const [index, line] of BROKEN_LINES.entries()) {
    await step(`one text; the connection breaks: ${line}`, async () => {
      await create(`q17-${index}`)
      await showTexts(`q17-${index}`)
      await traveller.over(line, { method: 'DELETE', address: '**/api/admin/pastes/*' }, () =>
        removeRow(`q17-${index}`),
      )
      expect(await traveller.countTexts(`q17-${index}`)).toBe(0)
    })
    await step(`many texts; the connection breaks: ${line}`, async () => {
      await Promise.all(['a', 'b'].map((name) => create(`q20-${index}-${name}`)))
      await showTexts(`q20-${index}`)
      await traveller.over(line, { method: 'POST', address: '**/batch-delete' }, async () => {
        await page.getByRole('checkbox').first().check()
        await page.getByRole('button', { name: 'Delete', exact: true }).click()
        await confirm('Delete')
      })
      expect(await traveller.countTexts(`q20-${index}`)).toBe(0)
    })
    await step(`expired texts; the connection breaks: ${line}`, async () => {
      await create(`q25-${index}`, 1)
      const isOver = async () => (await page.request.get(`/api/paste/q25-${index}`)).status() === 410
      await expect.poll(isOver).toBe(true)
      await showTexts(`q25-${index}`)
      await traveller.over(line, { method: 'POST', address: '**/clear-expired' }, async () => {
        await page.getByRole('button', { name: adminWords.texts.clean }).click()
        await confirm(adminWords.texts.clean)
      })
      await expect.poll(() => traveller.countTexts(`q25-${index}`)).toBe(0)
    })
    await step(`settings; the connection breaks: ${line}`, async () => {
      await page.goto('/admin/settings')
      const size = page.getByLabel('Maximum file size')
      await expect(size).toBeVisible()
      await traveller.over(line, { method: 'PUT', address: '**/system-settings' }, async () => {
        await size.fill(`32${index}`)
        await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      })
      const { data } = await admin.call(operationRoutes.readSettings)
      expect(data).toContainEqual(expect.objectContaining({ key: 'max_upload_size', value: `32${index}` }))
    })
    await step(`caches; the connection breaks: ${line}`, async () => {
      const kept = async () => (await admin.call(operationRoutes.cacheStats)).data.cache.directory.cacheSize
      await page.goto('/admin')
      const clear = page.getByRole('button', { name: 'Clear', exact: true })
      await expect(clear).toBeVisible()
      await admin.call(fsListingRoutes.list, { query: { path: '/local' } })
      expect(await kept()).toBeGreaterThan(0)
      await traveller.over(line, { method: 'POST', address: '**/api/admin/cache/clear' }, async () => {
        await clear.click()
        await confirm('Clear')
      })
      expect(await kept()).toBe(0)
    })
  }
  await step('a deletion of a text deleted elsewhere meanwhile', async () => {
    await create('q19')
    await showTexts('q19')
    await traveller.leave()
    await removeRow('q19')
    await traveller.waits(1)
    await admin.call(managedPasteRoutes.adminDelete, { params: { id: 'q19' } })
    await traveller.back()
    await traveller.settled()
  })
})

test('queues survive tabs, reloads and logouts, and belong to one user', async ({
  traveller,
  context,
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
    expect(await traveller.countTexts('q21 of')).toBe(2)
    await other.page.close()
  })
  await step('the tab is closed before it is online again', async () => {
    const other = new Traveller(await context.newPage(), admin)
    await other.page.goto('/')
    await traveller.leave()
    await other.share('q22 of a closed tab')
    await other.waits(1)
    await other.page.close()
    await traveller.back()
    await page.reload()
    await traveller.sent('q22 of a closed', 1)
  })
  await step('a logout: nothing is sent until the same user logs in', async () => {
    const { data } = await admin.call(apiKeyRoutes.create, {
      body: { name: 'q23', text_permission: true, expires_at: 'never' },
    })
    await traveller.leave()
    await traveller.share('q23 of the administrator')
    await traveller.waits(1)
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByLabel('Username')).toBeVisible()
    await traveller.back()
    await logInWithKey(page, data.key)
    await expect(traveller.chip()).toHaveCount(0)
    expect(await traveller.countTexts('q23 of the')).toBe(0)
    await page.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByLabel('Username')).toBeVisible()
    await page.goto('/admin')
    await logInAsAdmin(page, { password: ADMIN_PASSWORD })
    await expect.poll(() => traveller.countTexts('q23 of the')).toBe(1)
    await traveller.settled()
  })
  await step('a session that has ended when online again', async () => {
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
    expect(await traveller.countTexts('q24 of an')).toBe(0)
    const fresh = await logIn(server.origin, ADMIN_PASSWORD)
    await page.evaluate((value) => localStorage.setItem('admin_token', value), fresh)
    await page.reload()
    await traveller.sent('q24 of an', 1)
  })
})
