import { readFile } from 'node:fs/promises'
import { BACKUP_PASSPHRASE_MIN_LENGTH } from '@dropleaf/contract'
import { backup as english } from '../apps/web/src/locales/en-US/admin/backup.ts'
import { adminErrors as englishErrors } from '../apps/web/src/locales/en-US/admin/errors.ts'
import { backup as chinese } from '../apps/web/src/locales/zh-CN/admin/backup.ts'
import { adminErrors as chineseErrors } from '../apps/web/src/locales/zh-CN/admin/errors.ts'
import { expectAccessible } from './support/accessible.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, test } from './support/test.ts'
import { inTurn } from './support/worlds.ts'

const PASSPHRASE = '口令 is long enough'

for (const { language, words, errors, viewport } of inTurn('backup', [
  { language: 'en-US', words: english, errors: englishErrors.backup, viewport: { width: 1280, height: 900 } },
  { language: 'zh-CN', words: chinese, errors: chineseErrors.backup, viewport: { width: 360, height: 740 } },
])) {
  test.describe(`backup in ${language}, ${viewport.width} px wide`, () => {
    test.use({ viewport, locale: language })

    test('a backup is saved with a passphrase and imported again', async ({ adminPage: page }, info) => {
      await page.goto('/admin/settings')
      const panel = page.getByRole('region', { name: words.title, exact: true })
      const passphrase = panel.getByLabel(words.passphrase, { exact: true })
      const again = panel.getByLabel(words.passphraseAgain, { exact: true })
      await passphrase.fill('short')
      await again.fill('short')
      await panel.getByRole('button', { name: words.exportNow }).click()
      const tooShort = words.problems.tooShort.replace('{{count}}', String(BACKUP_PASSPHRASE_MIN_LENGTH))
      await expect(panel.getByText(tooShort)).toBeVisible()
      await passphrase.fill(PASSPHRASE)
      await expect(panel.getByText(words.problems.different)).toBeVisible()
      await again.fill(PASSPHRASE)
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        panel.getByRole('button', { name: words.exportNow }).click(),
      ])
      const path = info.outputPath('backup.ndjson')
      await download.saveAs(path)
      expect(await readFile(path, 'utf8')).toContain('"has_secrets":true')

      const file = panel.getByLabel(words.file)
      await file.setInputFiles({ name: 'x.json', mimeType: 'text/plain', buffer: Buffer.from('hello') })
      await expect(panel.getByText(errors.not_a_backup)).toBeVisible()
      await file.setInputFiles(path)
      const importNow = panel.getByRole('button', { name: words.importNow })
      await importNow.click()
      await expect(panel.getByText(errors.passphrase_missing)).toBeVisible()
      await passphrase.last().fill('not the right one')
      await importNow.click()
      await expect(panel.getByText(errors.passphrase_wrong)).toBeVisible()
      await passphrase.last().fill(PASSPHRASE)
      await importNow.click()
      await expect(panel.getByText(words.imported_other.replace('{{count}}', '0'))).toBeVisible()
      await expect(panel.getByRole('group').last()).toContainText(words.reasons.id_exists)
      await panel.getByRole('group').last().locator('summary').click()
      await expectAccessible(page, 'a backup taken in')

      await panel.getByLabel(words.modes.replace).check()
      await importNow.click()
      const question = page.getByRole('dialog', { name: words.confirm.title })
      await expect(question).toContainText(words.confirm.text)
      await expectAccessible(page, 'a question before a backup replaces everything')
      await page.keyboard.press('Escape')
      await expect(question).toBeHidden()
      expect(await isWiderThanScreen(page)).toBe(false)
    })
  })
}
