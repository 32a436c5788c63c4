import { readFile } from 'node:fs/promises'
import { apiKeyRoutes, authRoutes, pasteRoutes } from '@dropleaf/contract'
import { adminWords as words } from '../apps/web/src/locales/zh-CN/admin/index.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { ADMIN_PASSWORD, expect, test } from './support/test.ts'
import { say } from './support/worlds.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'
const DEVICE = words.sessions.browserOn.replace('{{system}}', 'Windows').replace('{{browser}}', 'Firefox')

test.use({ viewport: { width: 360, height: 740 }, locale: 'zh-CN' })

test('ending a session of another device is recorded in the audit log, on screen and in its export', async ({
  adminPage: page,
}, info) => {
  const answer = await page.request.post(authRoutes.login.path, {
    headers: { 'user-agent': FIREFOX },
    data: { username: 'admin', password: ADMIN_PASSWORD },
  })
  const { data } = (await answer.json()) as { data: { token: string } }
  const statusThere = async () => {
    const headers = { authorization: `Bearer ${data.token}` }
    return (await page.request.get(authRoutes.testAdminToken.path, { headers })).status()
  }
  expect(await statusThere()).toBe(200)
  await page.goto('/admin/settings')
  const panel = page.getByRole('region', { name: words.sessions.title })
  await expect(panel.getByText(words.sessions.current)).toBeVisible()
  const end = panel.getByRole('button', {
    name: new RegExp(words.sessions.endOf.replace('{{name}}', DEVICE).replace('{{time}}', '.*\\d')),
  })
  await end.click()
  await expect(end).toBeHidden()
  expect(await statusThere()).toBe(401)

  await page.goto('/admin/audit')
  await page.getByRole('button', { name: words.table.filters }).click()
  const actions = page.getByLabel(words.audit.columns.action, { exact: true })
  await actions.selectOption(words.audit.actions.session.end)
  await expect(page).toHaveURL(/action=session\.end/)
  const row = page.getByRole('row').filter({ hasText: words.audit.actions.session.end })
  await expect(row.first()).toContainText(words.audit.outcomes.done)
  expect(await isWiderThanScreen(page)).toBe(false)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: words.audit.exportCsv }).click(),
  ])
  const path = info.outputPath('audit.csv')
  await download.saveAs(path)
  const [head, first] = (await readFile(path, 'utf8')).split('\r\n')
  expect([head, first]).toEqual([
    expect.stringMatching(/time,action/),
    expect.stringMatching(/,session\.end,done,admin,/),
  ])
})

test('the keyboard loads earlier entries and keeps the focus when there are no more', async ({
  adminPage: page,
  admin,
}) => {
  const remark = `many ${Date.now()}`
  for (let at = 0; at < 102; at += 1)
    await admin.call(pasteRoutes.create, { body: { content: `${at}`, remark } })
  await page.goto('/admin/audit')
  const more = page.getByRole('button', { name: words.audit.more })
  const rows = page.getByRole('main').getByRole('row')
  await more.focus()
  for (let known = 0; await more.isVisible();) {
    await expect(more).toBeFocused()
    known = await rows.count()
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBeGreaterThan(known)
  }
  const said = page.getByText(say(words.audit.allShown_other, { number: await rows.count() }))
  await expect(said).toBeVisible()
  await expect(page.locator(':focus')).toContainText(await said.innerText())
})

test('actions of a deleted key are found by its name', async ({ adminPage: page, admin }) => {
  const name = `gone ${Date.now()}`
  const { data } = await admin.call(apiKeyRoutes.create, {
    body: { name, text_permission: true, expires_at: 'never' },
  })
  await admin.withKey(data.key).call(pasteRoutes.create, { body: { content: 'by a key' } })
  await admin.call(apiKeyRoutes.remove, { params: { id: data.id } })
  await page.goto('/admin/audit')
  await page.getByRole('button', { name: words.table.filters }).click()
  const actors = page.getByLabel(words.audit.columns.actor, { exact: true })
  await actors.selectOption(words.audit.goneKey.replace('{{name}}', name))
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1)
})
