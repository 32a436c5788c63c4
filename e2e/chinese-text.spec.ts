import { pasteRoutes } from '@dropleaf/contract'
import { writeText } from './support/pages.ts'
import { expect, test } from './support/test.ts'

/**
 * Tests Chinese text next to Markdown markers without spaces and in joined lines. Also tests that the editor keeps the
 * line endings of a text.
 */

const TEXT = `# 中文标题 一

[跳到下面](#下面的标题)

**注意：**正文继续。
他说**“你好”**就走了。
这是**重要（必读）**的内容。
*强调。*后文

## 下面的标题

行内化学 $\\ce{H2O}$ 与 $x^2$，行内 \\( a+b \\) 结束。

\\[ E = mc^2 \\]

$$
\\ce{2H2 + O2 -> 2H2O}
$$`

const STRONG = ['注意：', '“你好”', '重要（必读）']

test('a Chinese text is rendered correctly, for readers and in every mode of the editor', async ({
  adminPage: page,
}, testInfo) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/')
  await writeText(page, TEXT)
  const show = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const shoot = async (name: string) => {
    const path = testInfo.outputPath(`${name}.png`)
    await page.screenshot({ path })
  }
  const { step } = test
  await step('the source', async () => {
    await show('Source')
    const bold = page.locator('.cm-content span').filter({ hasText: '“你好”' }).first()
    await expect(bold).toHaveCSS('font-weight', '700')
    await shoot('source')
  })
  await step('source beside preview', async () => {
    await show('Source and preview')
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.locator('strong')).toHaveText(STRONG)
    await expect(preview.locator('em')).toHaveText(['强调。'])
    await expect(preview.getByText('正文继续。他说“你好”就走了。这是')).toBeVisible()
    await expect(preview.locator('.dl-formula .katex')).toHaveCount(5)
    await expect(preview.locator('.dl-failed-note')).toHaveCount(0)
    await shoot('split')
  })
  await step('rich text', async () => {
    await show('Rich text')
    const rich = page.locator('.dl-rich .dl-prose')
    await expect(rich.locator('strong')).toHaveText(STRONG)
    await expect(rich.locator('em')).toHaveText(['强调。'])
    await expect(rich.locator('.dl-joined').first()).toHaveCSS('font-size', '0px')
    await shoot('formatted')
  })
  await step('the share', async () => {
    await page.getByRole('button', { name: 'Create share' }).click()
    const link = page.getByRole('link', { name: /\/paste\// }).first()
    await page.goto((await link.getAttribute('href')) ?? '')
    await expect(page.locator('article strong')).toHaveText(STRONG)
    await expect(page.locator('article .dl-formula .katex')).toHaveCount(5)
  })
})

test('a text keeps its line endings in every mode of the editor', async ({ adminPage: page, admin }) => {
  const { slug } = await admin.call(pasteRoutes.create, {
    body: { content: 'one\r\n\r\ntwo\r\n\r\nthree\r\n' },
  })
  const contentOf = async () =>
    (await admin.call(pasteRoutes.adminRead, { params: { id: slug } })).data.content
  const type = async (mode: string, letters: string) => {
    await page.goto(`/paste/${slug}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('button', { name: mode, exact: true }).click()
    await page.getByText('two').filter({ visible: true }).click()
    await page.keyboard.press('End')
    await page.keyboard.type(letters)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  }
  await type('Source', '2')
  expect(await contentOf()).toBe('one\r\n\r\ntwo2\r\n\r\nthree\r\n')
  await type('Rich text', '3')
  expect(await contentOf()).toBe('one\r\n\r\ntwo23\r\n\r\nthree\r\n')
})
