import { pasteRoutes } from '@dropleaf/contract'
import { expectAccessible } from './support/accessible.ts'
import { unseenFocus } from './support/keyboard.ts'
import { isWiderThanScreen } from './support/pages.ts'
import { expect, inOppositeWorlds, say, test } from './support/worlds.ts'

/** Tests how long, wide and right-to-left texts are shown, and what readers and owners can do with a text. */

const SECTIONS = Array.from(
  { length: 12 },
  (_, n) => `## Part ${n + 1}\n\n${'Words of this part. '.repeat(60)}`,
)
const GUIDE = ['# The guide', ...SECTIONS].join('\n\n')
const LINES = Array.from({ length: 600 }, (_, n) => (n % 7 === 6 ? '' : `line ${n + 1}`)).join('\n')

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('a wide diagram scrolls sideways; a slightly too wide one is scaled', async ({ page, admin }) => {
    const steps = Array.from({ length: 8 }, (_, n) => `S${n}[Step ${n} of many] --> S${n + 1}[Next]`)
    const diagrams = [`flowchart LR\n${steps.join('\n')}`, 'pie\n"a": 3\n"b": 5']
    const content = diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join('\n\n')
    await admin.call(pasteRoutes.create, { body: { content, slug: 'wide-diagram' } })
    await page.goto('/paste/wide-diagram')
    const pictures = page.locator('.dl-diagram img')
    await expect(pictures).toHaveCount(2)
    const scales = await pictures.evaluateAll((images) =>
      images.map((image) => image.getBoundingClientRect().width / Number(image.getAttribute('width'))),
    )
    expect(scales[0]).toBeCloseTo(0.65)
    expect((await pictures.nth(1).boundingBox())?.width).toBeLessThan(330)
    expect(await isWiderThanScreen(page)).toBe(false)
  })
})

inOppositeWorlds(({ device }) => {
  const isPhone = device === 'phone'

  test('a long and wide table scrolls sideways as one, with aligned columns', async ({
    page,
    admin,
    words,
  }) => {
    const row = (word: string) =>
      `|${Array.from({ length: 30 }, (_, column) => `${word} ${column}`).join('|')}|`
    const rows = Array.from({ length: 300 }, (_, at) => row(`cell of ${at}`))
    const content = `# Wide\n\n${[row('head'), '|-'.repeat(30), ...rows].join('\n')}\n\nEnd.`
    const slug = `wide-table-${device}`
    await admin.call(pasteRoutes.create, { body: { content, slug } })
    await page.goto(`/paste/${slug}`)
    const parts = page.locator('.dl-cut-table')
    await expect.poll(() => parts.count()).toBeGreaterThan(4)
    await expect(page.getByRole('button', { name: words.textView.showOutline })).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
    const scrollers = () =>
      parts.evaluateAll((all) =>
        all
          .filter((part) => part.checkVisibility({ contentVisibilityAuto: true }))
          .map((part) => ({
            left: Math.round(part.scrollLeft),
            canMove: part.scrollWidth > 3 * part.clientWidth,
            cells: [...part.querySelectorAll('tbody tr:first-child td')].map((cell) =>
              Math.round(cell.getBoundingClientRect().width),
            ),
          })),
      )
    await parts.nth(1).scrollIntoViewIfNeeded()
    const [first, ...others] = await scrollers()
    expect(first).toMatchObject({ left: 0, canMove: true })
    expect(Math.min(...(first?.cells ?? []))).toBeGreaterThan(100)
    expect(others.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toEqual(first)
    await parts.nth(1).evaluate((part) => part.scrollTo({ left: 700 }))
    await expect
      .poll(async () => new Set((await scrollers()).map(({ left }) => left)))
      .toEqual(new Set([700]))
    // A part that scrolls into view later gets the scroll position of the other parts.
    await parts.last().scrollIntoViewIfNeeded()
    await expect.poll(async () => (await scrollers()).at(-1)?.left).toBe(700)
  })

  test('each line of a plain text has the direction of its first letter, with its number at the left', async ({
    page,
    admin,
  }) => {
    const slug = `directions-${device}`
    const content = 'שלום עולם, a line\nLatin עברית\nمرحبا 123'
    await admin.call(pasteRoutes.create, { body: { content, slug, content_type: 'text/plain' } })
    await page.goto(`/paste/${slug}`)
    const lines = page.locator('.dl-line')
    await expect(lines).toHaveCount(3)
    const sides = await lines.evaluateAll((all) =>
      all.map((line) => {
        const words = document.createRange()
        words.selectNodeContents(line.querySelector('bdi') ?? line)
        const [box, own] = [words.getBoundingClientRect(), line.getBoundingClientRect()]
        const isAtRight =
          own.right - box.right < 2 && getComputedStyle(words.startContainer as Element).direction === 'rtl'
        return { isAtRight, numberAt: getComputedStyle(line, '::before').left }
      }),
    )
    expect(sides.map(({ isAtRight }) => isAtRight)).toEqual([true, false, true])
    expect(new Set(sides.map(({ numberAt }) => numberAt))).toEqual(new Set(['0px']))
  })

  test('the outline navigates a text, follows its reader and has an adjustable width', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    const { textView } = words
    const slug = `guide-${device}`
    await admin.call(pasteRoutes.create, { body: { content: GUIDE, slug } })
    await page.goto(`/paste/${slug}`)
    await press(page.getByRole('button', { name: textView.showOutline }))
    const outline = page.getByRole('navigation', { name: textView.outline })
    await expect(outline.getByRole('link')).toHaveCount(13)
    await press(outline.getByRole('link', { name: 'Part 4' }))
    const heading = page.getByRole('heading', { name: 'Part 4' })
    await expect(heading).toBeInViewport()
    await expect(heading).toBeFocused()
    await expect(outline.locator('[aria-current]')).toHaveText('Part 4')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
    await expect(outline.locator('[aria-current]')).toHaveText(/Part 1[012]/)
    expect(await isWiderThanScreen(page)).toBe(false)
    const divider = page.getByRole('separator', { name: textView.outlineWidth })
    if (isPhone) {
      await expect(divider).toBeHidden()
      return
    }
    const before = Number(await divider.getAttribute('aria-valuenow'))
    await outline.getByRole('link').last().focus()
    await page.keyboard.press('Tab')
    await expect(divider).toBeFocused()
    expect(await unseenFocus(page)).toBeNull()
    await page.keyboard.press('ArrowRight')
    const box = await divider.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 8, 300)
    await page.mouse.down()
    await page.mouse.move((box?.x ?? 0) + 48, 300)
    await page.mouse.up()
    await expect(divider).toHaveAttribute('aria-valuenow', String(before + 56))
    await page.reload()
    await expect(divider).toHaveAttribute('aria-valuenow', String(before + 56))
    await expectAccessible(page, 'a text with its outline')
  })

  test('a link names lines of a text, and is created by pressing the numbers', async ({
    page,
    admin,
    words,
    press,
  }) => {
    const { textView } = words
    const slug = `lines-${device}`
    await admin.call(pasteRoutes.create, { body: { content: LINES, slug, content_type: 'text/plain' } })
    await page.goto(`/paste/${slug}#L500-L502`)
    const marked = page.locator('[data-marked]')
    await expect(marked).toHaveText(['line 500', 'line 501', 'line 502'])
    await expect(marked.first()).toBeInViewport()
    const bar = page.getByRole('region', { name: textView.marked })
    await expect(bar).toContainText(say(textView.lines, { first: 500, last: 502 }))
    await page.getByText('line 510', { exact: true }).click({ position: { x: 6, y: 8 } })
    await expect(page).toHaveURL(/#L510$/)
    await page
      .getByText('line 507', { exact: true })
      .click({ position: { x: 6, y: 8 }, modifiers: ['Shift'] })
    await expect(page).toHaveURL(/#L507-L510$/)
    await expect(marked).toHaveCount(4)
    await press(bar.getByRole('button', { name: textView.unmark }))
    await expect(marked).toHaveCount(0)
    await press(page.getByRole('button', { name: textView.more }))
    await page.getByRole('menuitem', { name: textView.goToLine }).click()
    const field = page.getByLabel(textView.goToLineHint)
    await field.fill('9999')
    await field.press('Enter')
    await expect(page.getByText(say(textView.noSuchLine, { count: '600' }))).toBeVisible()
    await field.fill('3-5')
    await field.press('Enter')
    await expect(marked).toHaveCount(3)
    await expect(marked.first()).toBeInViewport()
    await press(page.getByRole('button', { name: textView.noWrap }))
    await expect(page.getByRole('button', { name: textView.wrap })).toBeVisible()
    expect(await isWiderThanScreen(page)).toBe(false)
  })

  test('the owner compares an earlier version, restores it, and deletes all of them', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    const { textView } = words
    const { versions } = textView
    const slug = `versions-${device}`
    await admin.call(pasteRoutes.create, { body: { content: 'apples and pears\nstays', slug } })
    await admin.call(pasteRoutes.adminUpdate, {
      params: { id: slug },
      body: { content: 'apples and plums\nstays\nadded' },
    })
    await page.goto(`/paste/${slug}`)
    await press(page.getByRole('button', { name: textView.more }))
    await page.getByRole('menuitem', { name: versions.open }).click()
    const dialog = page.getByRole('dialog', { name: versions.title })
    await expect(dialog.getByText(say(versions.counts, { gone: 1, added: 2 }))).toBeVisible()
    await expect(dialog.locator('mark')).toHaveText(['pears', 'plums'])
    if (!isPhone) await expectAccessible(page, 'versions')
    await press(dialog.getByRole('button', { name: versions.restore }))
    await expect(page.getByText(versions.restored)).toBeVisible()
    await expect(page.getByText('apples and pears')).toBeVisible()
    await press(page.getByRole('button', { name: textView.more }))
    await page.getByRole('menuitem', { name: versions.open }).click()
    await expect(dialog.getByRole('list', { name: versions.list }).getByRole('button')).toHaveCount(2)
    await press(dialog.getByRole('button', { name: versions.forget }))
    const question = page.getByRole('dialog', { name: versions.forgetTitle })
    await press(question.getByRole('button', { name: versions.forget }))
    await expect(dialog.getByText(versions.none)).toBeVisible()
  })

  test('saving a text that was changed elsewhere offers a choice, and nothing is lost', async ({
    adminPage: page,
    admin,
    words,
    press,
  }) => {
    const { changed } = words.textView
    const slug = `changed-${device}`
    await admin.call(pasteRoutes.create, { body: { content: 'the beginning', slug } })
    await page.goto(`/paste/${slug}`)
    await press(page.getByRole('button', { name: words.paste.edit }))
    const editor = page.locator('.cm-content')
    await editor.click()
    await page.keyboard.type('mine: ')
    await admin.call(pasteRoutes.adminUpdate, { params: { id: slug }, body: { content: 'theirs' } })
    const save = page.getByRole('button', { name: words.common.save })
    const question = page.getByRole('dialog', { name: changed.title })
    await press(save)
    const difference = question.getByRole('region', { name: words.textView.versions.changes })
    await expect(difference).toContainText('theirs')
    await expect(difference).toContainText('mine:')
    await press(question.getByRole('button', { name: changed.goOn }))
    await expect(editor).toContainText('mine:')
    await press(save)
    await press(question.getByRole('button', { name: changed.takeMine }))
    await expect(editor).toHaveCount(0)
    await expect(page.getByText('mine:')).toBeVisible()
    await press(page.getByRole('button', { name: words.paste.edit }))
    await editor.click()
    await page.keyboard.type('again ')
    await admin.call(pasteRoutes.adminUpdate, { params: { id: slug }, body: { content: 'theirs once more' } })
    await press(save)
    await press(question.getByRole('button', { name: changed.takeTheirs }))
    await expect(editor).toHaveText('theirs once more')
  })
})
