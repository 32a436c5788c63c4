import { hasBuckets, mountBucket } from './support/bucket.ts'
import { startRefusingServer } from './support/refusing-server.ts'
import { expect, test } from './support/test.ts'

test('a file that its storage refuses to delete reappears with the reason', async ({
  adminPage: page,
  admin,
}) => {
  test.skip(!hasBuckets(), 'there is no S3 server, as ALLOW_SKIP=s3 allows')
  const server = await startRefusingServer(process.env['TEST_S3_ENDPOINT'] ?? '')
  const { put } = await mountBucket(admin, '/refusing', { through: server.url })
  await put('stays.txt', 'stays')
  await put('other.txt', 'other')
  await page.goto('/mount-explorer/refusing')
  const row = page.getByRole('row').filter({ hasText: 'stays.txt' })
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toBeHidden()
  const told = page.getByRole('dialog').filter({ hasText: '1 item failed' })
  await expect(told).toContainText('stays.txt')
  await expect(told).toContainText(/refuse|denied|permission|not allowed/i)
  await told.getByRole('button', { name: 'Close' }).first().click()
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  server.close()
})
