import { fromLan } from './support/lan.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { ADMIN_PASSWORD } from './support/test.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

inOppositeWorlds(() => {
  test('over http in the local network the network drive page shows a warning and copies valid addresses', async ({
    page,
    server,
    adminToken,
    words: { common, webdav },
    press,
  }) => {
    const lan = fromLan(server.origin)
    await page.goto(`${lan}/api/health`)
    await page.evaluate((token) => localStorage.setItem('admin_token', token), adminToken)
    await page.goto(`${lan}/admin/webdav`)
    await expect(page.getByText(webdav.readable)).toBeVisible()
    await press(page.getByRole('button', { name: say(webdav.copyOf, { what: webdav.address.ofWhole }) }))
    await expect(page.getByText(say(webdav.copied, { what: webdav.address.ofWhole }))).toBeVisible()

    // Pastes the copied text into a field, because pages on plain HTTP cannot read the clipboard.
    const userName = page.getByLabel(webdav.systems.userName)
    await userName.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+v')
    await expect(userName).toHaveValue(`${lan}/dav/`)
    const credentials = Buffer.from(`admin:${ADMIN_PASSWORD}`).toString('base64')
    const answer = await fetch(`${server.origin}/dav/`, {
      method: 'PROPFIND',
      headers: { authorization: `Basic ${credentials}`, depth: '1' },
    })
    expect([answer.status, await answer.text()]).toEqual([207, expect.stringContaining('/dav/local/')])

    await userName.fill('ann lee')
    await page.getByLabel(webdav.systems.folder).selectOption({ label: common.localDisk })
    await press(page.getByText(webdav.systems.curl, { exact: true }))
    await expect(page.getByText(`curl -u 'ann lee' -T report.pdf ${lan}/dav/local/`)).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
  })
})
