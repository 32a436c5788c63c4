import {
  apiKeyRoutes,
  operationRoutes,
  pasteRoutes,
  reconciliationRoutes,
  taskRoutes,
} from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { expectAccessible } from './support/accessible.ts'
import { logIn } from './support/api.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD } from './support/test.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

const STATS = `**${operationRoutes.dashboard.path}?*`
const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

inOppositeWorlds(({ storage }) => {
  test('the dashboard shows counts and the week in the chosen form, and clears caches on request', async ({
    adminPage: page,
    admin,
    place,
    words,
    press,
  }) => {
    const { dashboard, table } = words
    await admin.call(pasteRoutes.create, { body: { content: 'counted', slug: `counted-${storage}` } })
    await place.put({ 'a.txt': 'some bytes' })
    const { data } = await admin.call(operationRoutes.dashboard)
    await page.goto('/admin')
    await expect(page).toHaveTitle(new RegExp(words.manage.modules.dashboard))
    const counters = page.getByRole('list', { name: dashboard.counters.label })
    await expect(counters.getByRole('link', { name: dashboard.counters.texts })).toContainText(
      String(data.totalPastes),
    )
    await expect(counters.getByRole('link', { name: dashboard.counters.storages })).toContainText(
      String(data.totalS3Configs),
    )

    const week = panel(page, dashboard.activity.title)
    const today = week.getByRole('row').last().getByRole('cell').first()
    await expect(today).toHaveText(String(data.lastWeekPastes.at(-1)))
    await press(week.getByTitle(dashboard.activity.views.line))
    await expect(week.locator('polyline').first()).toBeAttached()
    await press(week.getByTitle(dashboard.activity.views.table))
    await page.reload()
    await expect(week.getByRole('radio', { name: dashboard.activity.views.table })).toBeChecked()
    await expect(today).toBeVisible()

    await expect(panel(page, dashboard.storage.title)).toContainText(words.common.localDisk)
    await expect(panel(page, dashboard.index.title)).toContainText('/local')
    await expect(panel(page, dashboard.system.title)).toContainText('SQLite')

    // After a refresh, the page shows a text that was created elsewhere.
    await admin.call(pasteRoutes.create, { body: { content: 'counted', slug: `later-${storage}` } })
    await press(page.getByRole('button', { name: table.refresh }))
    await expect(page.getByRole('status').filter({ hasText: table.refreshed })).toHaveCount(1)
    await expect(counters.getByRole('link', { name: dashboard.counters.texts })).toContainText(
      String(data.totalPastes + 1),
    )

    await page.evaluate(
      async ([path, token]) => {
        await fetch(`/api/fs/list?path=${path}`, { headers: { authorization: `Bearer ${token}` } })
      },
      [place.path, await page.evaluate(() => localStorage.getItem('admin_token'))],
    )
    const caches = panel(page, dashboard.cache.title)
    await press(caches.getByRole('button', { name: dashboard.cache.clear }))
    await expect(page.getByRole('dialog')).toContainText(dashboard.cache.clearTitle)
    await press(page.getByRole('dialog').getByRole('button', { name: dashboard.cache.clear }))
    const cleared = [dashboard.cache.cleared_one, dashboard.cache.cleared_other]
    await expect(
      page.getByText(new RegExp(cleared.map((text) => say(text, { count: '[1-9]\\d*' })).join('|'))),
    ).toBeVisible()
    const listings = caches.getByRole('row').filter({ hasText: dashboard.cache.names.directory })
    await expect(listings.getByRole('cell').first()).toHaveText('0')
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('nearly full storages and the running tasks are shown with their actions', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    const { dashboard } = words
    await page.route(STATS, async (route) => {
      const response = await route.fetch()
      const reply = (await response.json()) as { data: { s3Buckets: object[]; totalStorageUsed: number } }
      const [first] = reply.data.s3Buckets
      const bucket = (name: string, usedStorage: number, totalStorage: number) => ({
        ...first,
        id: name,
        name,
        usedStorage,
        totalStorage,
        hasLimit: true,
        usagePercent: Math.round((usedStorage / totalStorage) * 100),
      })
      reply.data.s3Buckets = [bucket('Roomy', 100, 1000), bucket('Tight', 95, 100), bucket('Worn', 70, 100)]
      reply.data.totalStorageUsed = 265
      await route.fulfill({ response, json: reply })
    })
    const tasks = `**${taskRoutes.list.path}?state=*`
    const { data: key } = await admin.call(apiKeyRoutes.create, {
      body: { name: `Runner ${storage}`, expires_at: 'never', mount_permission: true },
    })
    await page.route(tasks, (route) =>
      route.fulfill({
        json: { code: 200, success: true, message: '', data: { tasks: [taskOf(`apikey:${key.id}`)] } },
      }),
    )
    await page.goto('/admin')
    const use = panel(page, dashboard.storage.title)
    await expect(use.getByRole('heading', { level: 3 })).toHaveText(['Tight', 'Roomy', 'Worn'])
    await expect(use.getByRole('listitem').first()).toContainText(dashboard.storage.tones.over)
    const quota = use.getByRole('meter', { name: say(dashboard.storage.quota, { name: 'Tight' }) })
    await expect(quota).toHaveAttribute('value', '95')
    await expect(use.getByText(/Roomy 38/)).toBeAttached()
    const running = panel(page, dashboard.running.title)
    await expect(running).toContainText(say(words.tasks.task.copy, { what: 'movie.mkv' }))
    await expect(running).toContainText(say(dashboard.running.by, { name: `Runner ${storage}` }))
    await expectAccessible(page, 'dashboard')
    await press(
      running.getByRole('button', {
        name: say(words.tasks.cancel, { name: say(words.tasks.task.copy, { what: 'movie.mkv' }) }),
      }),
    )
    // The task does not exist on the server.
    await expect(page.getByText(words.errors.task.not_found)).toBeVisible()
  })

  test('the storage check reports the differences, and removes them on request', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { reconciliation } = words
    const asked: unknown[] = []
    await page.route(`**${reconciliationRoutes.read.path}`, async (route) => {
      const isAsked = route.request().method() === 'POST'
      if (isAsked) asked.push(route.request().postDataJSON())
      const hasRun = asked.length > 0
      const data = isAsked
        ? CHECK
        : { task: hasRun ? CHECK : null, report: hasRun ? reportOf(asked.length - 1) : null }
      await route.fulfill({ json: { code: 200, success: true, message: '', data } })
    })
    await page.goto('/admin')
    const check = panel(page, reconciliation.title)
    await expect(check).toContainText(reconciliation.never)
    await press(check.getByRole('button', { name: reconciliation.begin }))
    const { shares } = reconciliation.kinds
    await expect(check.getByRole('listitem')).toHaveCount(1)
    await expect(check.getByRole('status')).not.toBeEmpty()
    await press(check.getByRole('button', { name: say(reconciliation.repairOf, { name: shares.name }) }))
    const dialog = page.getByRole('dialog', { name: shares.ask })
    await expect(dialog.getByRole('listitem')).toHaveText([/lost\.txt \(lost\)/])
    await expectAccessible(page, 'storage check')
    await press(dialog.getByRole('button', { name: say(reconciliation.remove, { count: 1 }) }))
    await expect(check).toContainText(say(reconciliation.removed, { count: 1 }))
    expect(asked).toEqual([{ repair: [] }, { repair: ['shares'] }])
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('a restored server shows what it holds back, and continues after confirmation', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { restored } = words.dashboard
    let isConfirmed = false
    await page.route(STATS, async (route) => {
      const response = await route.fetch()
      const reply = (await response.json()) as { data: object }
      const mark = {
        savedAt: '2030-01-01T10:00:00Z',
        restoredAt: '2030-01-02T10:00:00Z',
        waitingRemovals: 12,
      }
      await route.fulfill({
        response,
        json: { ...reply, data: { ...reply.data, restored: isConfirmed ? null : mark } },
      })
    })
    await page.route(`**${operationRoutes.confirmRestored.path}`, async (route) => {
      isConfirmed = true
      await route.fallback()
    })
    await page.goto('/admin')
    const ask = page.getByRole('main').getByRole('button', { name: restored.confirm })
    await expect(page.getByText(/2030.*12/)).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    await press(ask)
    const dialog = page.getByRole('dialog', { name: restored.title })
    await expectAccessible(page, 'restored')
    await press(dialog.getByRole('button', { name: restored.later }))
    await expect(dialog).toBeHidden()
    await press(ask)
    await press(dialog.getByRole('button', { name: restored.yes }))
    await expect(ask).toBeHidden()
    await expect(dialog).toBeHidden()
  })

  test('a failure is shown in the place of its data, and a retry loads it', async ({
    adminPage: page,
    words,
    press,
  }) => {
    const { dashboard } = words
    const refuse = '**/api/admin/{dashboard,cache,index,mounts}**'
    await page.route(refuse, (route) =>
      route.fulfill({ status: 500, json: { code: 500, success: false, message: 'Broken', data: null } }),
    )
    await page.goto('/admin')
    const retries = page.getByRole('main').getByRole('button', { name: words.common.retry })
    await expect(retries).toHaveCount(3)
    await expect(panel(page, dashboard.storage.title)).toHaveCount(0)
    await expect(panel(page, dashboard.system.title)).toContainText('SQLite')
    await page.unroute(refuse)
    await press(retries.first())
    await expect(panel(page, dashboard.storage.title)).toContainText(words.common.localDisk)
    await press(panel(page, dashboard.cache.title).getByRole('button', { name: words.common.retry }))
    await press(panel(page, dashboard.index.title).getByRole('button', { name: words.common.retry }))
    await expect(retries).toHaveCount(0)
    await expect(panel(page, dashboard.index.title)).toContainText('/local')
  })
})

const taskOf = (creator: string) => ({
  id: '11111111-1111-4111-8111-111111111111',
  type: 'copy',
  state: 'running',
  created_by: creator,
  progress: {
    totalItems: 1,
    doneItems: 0,
    failedItems: 0,
    skippedItems: 0,
    totalBytes: 1000,
    doneBytes: 250,
    current: null,
  },
  request: { items: [{ source: '/local/movie.mkv', target: '/other/movie.mkv' }] },
  failures: [],
  result: null,
  error: null,
  created_at: '2030-01-01T00:00:00.000Z',
  started_at: '2030-01-01T00:00:00.000Z',
  finished_at: null,
  updated_at: '2030-01-01T00:00:01.000Z',
})

const CHECK = {
  ...taskOf('admin'),
  type: 'reconcile',
  state: 'completed',
  finished_at: '2030-01-01T00:00:02.000Z',
}

const NOTHING = { count: 0, bytes: 0, removed: 0 }

/** Report of one share whose file is missing. */
const reportOf = (removed: number) => ({
  graceMinutes: 1440,
  repaired: [],
  found: {
    shares: { count: 1, bytes: 5, removed },
    objects: NOTHING,
    parts: NOTHING,
    reservations: NOTHING,
  },
  shares: [
    { id: '1', slug: 'lost', filename: 'lost.txt', storage: 'Local disk', key: 'lost.txt', sizeBytes: 5 },
  ],
  objects: [],
})

test('a new server shows first steps; a click rebuilds the index of a mount', async ({ page }) => {
  const server = await startServer({ adminPassword: ADMIN_PASSWORD })
  try {
    const token = await logIn(server.origin, ADMIN_PASSWORD)
    await page.goto(`${server.origin}/api/health`)
    await page.evaluate((text) => localStorage.setItem('admin_token', text), token)
    await page.goto(`${server.origin}/admin/dashboard`)
    await expect(page).toHaveURL(`${server.origin}/admin`)
    const start = panel(page, 'Ready to use')
    await expect(start.getByRole('link')).toHaveCount(4)
    await expect(page.getByText('Nothing was shared in these seven days')).toBeVisible()
    await expect(page.getByText('Nothing is running.', { exact: false })).toBeVisible()
    await expectAccessible(page, 'a new dashboard')
    const index = panel(page, 'Search index')
    await index.getByRole('button', { name: 'Index now: “Local disk”' }).click()
    await expect(index.getByText(/files indexed/).first()).toBeVisible()
    await start.getByRole('link', { name: 'Share text' }).click()
    await expect(page).toHaveURL(`${server.origin}/`)
    await page.goto('about:blank')
  } finally {
    await server.stop()
  }
})
