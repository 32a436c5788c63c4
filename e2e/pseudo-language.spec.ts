import { apiKeyRoutes, fsFileRoutes, pasteRoutes } from '@dropleaf/contract'
import type { Page } from '@playwright/test'
import { ADMIN_MODULES } from './support/pages.ts'
import { loadPseudoWords, makePseudoApp } from './support/pseudo/pseudo.ts'
import { startServer } from './support/server.ts'
import { ADMIN_PASSWORD, expect, test as base } from './support/test.ts'
import { holdLine, openTray, patternOf, payload, sendFiles } from './support/uploading.ts'
import { Walk } from './support/walk.ts'
import { say, type Words } from './support/worlds.ts'

/**
 * Uses a generated language with longer texts. Checks that every text is translated and that no text is cut off, on
 * each page and in everything that its buttons and menus open. Runs on a small phone, and with `EVERY_WORLD=1` also
 * on a desktop.
 */

interface Fixtures {
  words: Words
  walk: Walk
  /** Whether to press the buttons of the header, which are identical on every page. */
  isOfHeader: boolean
}

const test = base.extend<Fixtures, object>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
    async ({}, use) => {
      await using app = await makePseudoApp()
      const server = await startServer({ adminPassword: ADMIN_PASSWORD, ...app.server })
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from this pattern
  words: async ({}, use) => use(await loadPseudoWords()),
  isOfHeader: [false, { option: true }],
  walk: async ({ adminPage: page, words, isOfHeader }, use) => {
    const { editor, webdav, common, paste, samples, shell, tasks } = words
    const header = [shell.palette, shell.menu, ...Object.values(shell.theme), tasks.open]
    const walk = new Walk(page, [
      common.logOut,
      // The sample files have fixed names.
      samples.make,
      // These buttons open nothing.
      editor.undo,
      editor.redo,
      editor.bold,
      editor.italic,
      editor.strike,
      editor.highlight,
      editor.code,
      editor.bullets,
      editor.numbers,
      editor.tasks,
      editor.indent,
      editor.outdent,
      editor.quote,
      editor.rule,
      editor.footnote,
      editor.codeBlock,
      editor.clear,
      editor.find.case,
      editor.find.whole,
      editor.find.regexp,
      editor.find.previous,
      editor.find.next,
      webdav.copyOf.split('{{', 1)[0] ?? '',
      paste.copyLink,
      paste.copyText,
      ...(isOfHeader ? [] : header),
    ])
    await use(walk)
    expect(walk.complaints).toEqual([])
  },
})

const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).first()
const item = (name: string) => (page: Page) => page.getByRole('menuitem', { name, exact: true })
/** A button of the dialog that was opened last. */
const answer = (name: string) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true })

const isThere = () => undefined

test.describe(() => {
  test.use({ isOfHeader: true })

  test('shares, errors, quick find, and pending changes', async ({
    adminPage: page,
    admin,
    adminToken,
    server,
    walk,
    words,
  }) => {
    const { home, palette, paste, textView, queue } = words
    const share = (slug: string, more: object = {}) =>
      admin.call(pasteRoutes.create, { body: { content: '# zz\n\nzz', slug, ...more } }).catch(isThere)
    await share('zz-text')
    await admin.call(pasteRoutes.adminUpdate, {
      params: { id: 'zz-text' },
      body: { content: '# zz\n\nzz zz' },
    })
    await share('zz-locked', { password: 'zz-locked' })
    await share('zz-limited', { maxViews: 1 })
    await fetch(`${server.origin}/api/paste/zz-limited`)
    for (const [slug, password] of [
      ['zz-file', ''],
      ['zz-file-locked', 'zz-locked'],
    ] as const)
      await fetch(`${server.origin}/api/upload-direct/zz-notes.txt?slug=${slug}&password=${password}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${adminToken}` },
        body: 'zz',
      })
    for (const address of ['/', '/upload', '/paste/zz-text', '/file/zz-file', '/offline'])
      await walk.visit(address)
    for (const address of ['/paste/zz-none', '/paste/zz-limited', '/file/zz-none', '/file/zz-file-locked']) {
      await walk.go(address)
      await walk.look(address)
    }
    await walk.go('/paste/zz-locked')
    await page.getByLabel(paste.locked.password, { exact: true }).fill('zz')
    await page.getByRole('button', { name: paste.locked.open, exact: true }).click()
    await page.getByText(words.errors.paste.password_wrong).waitFor()
    await walk.look('a wrong password')
    for (const [status, code] of [
      [410, 'paste.expired'],
      [500, 'internal'],
    ] as const) {
      const json = {
        code: status,
        message: 'zz',
        success: false,
        data: null,
        error: { code, requestId: 'zz' },
      }
      await page.route('**/api/paste/zz-none', (route) => route.fulfill({ status, json }))
      await walk.go('/paste/zz-none')
      await walk.look(`/paste, ${code}`)
      await page.unroute('**/api/paste/zz-none')
    }
    const versions = [button(textView.more), item(textView.versions.open)]
    await walk.open('/paste/zz-text', ...versions)
    await walk.open('/paste/zz-text', ...versions, answer(textView.versions.forget))

    await walk.go('/upload')
    await page.keyboard.press('Control+k')
    const field = page.getByRole('dialog', { name: palette.title, exact: true }).getByRole('combobox')
    await field.fill('zz-notes.txt')
    await page.getByRole('option').filter({ hasText: 'zz-notes' }).first().waitFor()
    await walk.look('quick find: found')
    await field.fill('zz-none')
    await page.getByText(say(palette.nothing, { text: 'zz-none' })).waitFor()
    await walk.look('quick find: nothing')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: palette.keyMap.title, exact: true }).waitFor()
    await walk.look('the map of keys')

    await page.goto('/')
    const publish = async () => {
      await page.getByRole('textbox', { name: home.editor }).click()
      await page.keyboard.insertText('zz')
      await page.getByRole('button', { name: home.submit }).click()
    }
    await page.getByLabel(words.common.slug.label, { exact: true }).fill('zz-made')
    await publish()
    await page.getByRole('region', { name: home.result.title }).getByRole('link').first().waitFor()
    await walk.look('a new share')
    await page.route('**/api/**', (route) => route.abort('connectionrefused'))
    await publish()
    await page.getByText(words.errors.client.queued).first().waitFor()
    await walk.look('a share that waits')
    await page.goto('/offline')
    await page.getByText(queue.status.unreachable).or(page.getByText(queue.status.retry)).first().waitFor()
    await walk.look('what waits')
    await page.getByRole('button', { name: queue.drop }).click()
    await page.getByRole('dialog').waitFor()
    await walk.look('what waits: to be discarded')
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await walk.look('what waits, without a line')
  })
})

test('files', async ({ adminPage: page, admin, walk, words }) => {
  const { command } = words.explorer
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/zz-folder/' } }).catch(isThere)
  await admin.call(fsFileRoutes.mkdir, { body: { path: '/local/zz-folder/zz/' } }).catch(isThere)
  for (const name of ['zz-readme.md', 'zz-notes.txt', 'zz-song.mp3'])
    await admin.call(fsFileRoutes.update, {
      body: { path: `/local/zz-folder/${name}`, content: '# zz\n\nzz' },
    })
  for (const address of [
    '/mount-explorer',
    '/mount-explorer/local/zz-folder',
    '/mount-explorer/local/zz-folder?preview=zz-notes.txt',
    '/mount-explorer/local/zz-folder?preview=zz-readme.md',
    '/mount-explorer/local/zz-folder/zz',
    '/mount-explorer/zz-none',
  ])
    await walk.visit(address)
  await walk.go('/mount-explorer/local/zz-folder')
  const grid = page.getByRole('grid')
  await grid.press('ControlOrMeta+a')
  await walk.look('a selection')
  await grid.press('Delete')
  await page.getByRole('dialog').waitFor()
  await walk.look('a selection to be deleted')
  await page.keyboard.press('Escape')
  await page.getByRole('toolbar').getByRole('button', { name: command.move, exact: true }).first().click()
  await page.getByRole('dialog').waitFor()
  await walk.look('a selection to be moved')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+k')
  await page
    .getByRole('dialog', { name: words.search.title, exact: true })
    .getByRole('combobox')
    .fill('zz-notes.txt')
  await page.getByRole('option').filter({ hasText: 'zz-notes' }).first().waitFor()
  await walk.look('files that were found')
  await page.keyboard.press('Escape')
  await walk.go('/mount-explorer/local/zz-folder')
  const line = await holdLine(page)
  line.state = 'hold'
  const files = [payload('zz.bin', 'zz'), payload('zz-2.bin', 'zz')]
  await sendFiles(page, words, { files })
  const tray = await openTray(page, words)
  await tray.getByRole('listitem').first().waitFor()
  await walk.look('uploads under way')
  line.state = 'refuse'
  await tray.getByText(words.tasks.ended, { exact: true }).waitFor()
  await tray
    .getByRole('button', { name: patternOf(words.tasks.details) })
    .first()
    .click()
  await walk.look('uploads that failed')
  const lists = '**/api/fs/list?*'
  await page.route(lists, (route) => route.abort())
  await page.goto('/mount-explorer/local/zz-folder')
  await page.getByText(words.explorer.failed.title).first().waitFor()
  await walk.look('a folder that could not be opened')
})

test('the admin panel, and the pages of visitors', async ({ adminPage: page, admin, walk, words }) => {
  await admin
    .call(pasteRoutes.create, { body: { content: 'zz', slug: 'zz-admin', maxViews: 1000 } })
    .catch(isThere)
  await admin
    .call(apiKeyRoutes.create, { body: { name: 'zz-key', text_permission: true, expires_at: 'never' } })
    .catch(isThere)
  await walk.go('/admin/welcome')
  await walk.look('/admin/welcome')
  for (const module of ADMIN_MODULES) await walk.visit(`/admin/${module}`)
  for (const [module, create] of [
    ['key-management', words.keys.create],
    ['mount-management', words.mounts.create],
    ['storage-config', words.storages.create],
  ] as const) {
    await walk.go(`/admin/${module}`)
    await page.getByRole('button', { name: create, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('button[type=submit]').click()
    await dialog.locator('[aria-invalid=true]').first().waitFor()
    await walk.look(`/admin/${module}, an empty form`)
  }
  await walk.go('/admin/text-management')
  await page
    .getByRole('checkbox', { name: words.table.selectPage })
    .or(page.getByRole('checkbox').last())
    .first()
    .check()
  await walk.look('chosen texts')
  await page.evaluate(() => localStorage.removeItem('admin_token'))
  await walk.visit('/admin')
  for (const address of ['/upload', '/mount-explorer', '/']) {
    await walk.go(address)
    await walk.look(`${address}, for visitors`)
  }
})
