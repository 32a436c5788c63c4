import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'

const PHONE = { width: 360, height: 740 }

interface Examination {
  /** Looks at the page once more on a screen of 360 px: for views that have another form there. */
  readonly isOnPhoneToo?: boolean
}

/** The rules whose outcome the theme may change. */
const OF_COLOURS = ['color-contrast']

/** Rules whose every fault is minor or moderate: what they find is not asked for. */
const MILD = [
  'aria-allowed-role',
  'aria-deprecated-role',
  'empty-heading',
  'empty-table-header',
  'form-field-multiple-labels',
  'heading-order',
  'html-xml-lang-mismatch',
  'image-redundant-alt',
  'landmark-banner-is-top-level',
  'landmark-contentinfo-is-top-level',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
  'landmark-one-main',
  'landmark-unique',
  'meta-viewport',
  'no-autoplay-audio',
  'page-has-heading-one',
  'presentation-role-conflict',
  'region',
  'scope-attr-valid',
  'skip-link',
]
const OPTIONS = {
  resultTypes: ['violations'] as 'violations'[],
  rules: Object.fromEntries(MILD.map((rule) => [rule, { enabled: false }])),
}

/**
 * A page without frames is looked at in place, by what it was given at the first look: giving it takes longer than looking.
 * Otherwise each look opens another page to join what was found.
 */
async function lookerFor(page: Page): Promise<() => AxeBuilder> {
  if (page.frames().length > 1) return () => new AxeBuilder({ page }).options({ ...OPTIONS })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return () => new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({ ...OPTIONS })
}

/** The page, as it is now, has no serious or critical fault that a machine can find, in light colours and in dark ones. */
export async function expectAccessible(
  page: Page,
  view: string,
  { isOnPhoneToo = false }: Examination = {},
): Promise<void> {
  const axe = await lookerFor(page)
  // A view that is looked at on a phone has all rules there; here too with EVERY_WORLD=1.
  const isWhole = !isOnPhoneToo || process.env['EVERY_WORLD'] === '1'
  await expectNoFault(isWhole ? axe() : axe().withRules(OF_COLOURS), `${view}, light`)
  const wide = page.viewportSize()
  if (isOnPhoneToo) await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expectNoFault(isOnPhoneToo ? axe() : axe().withRules(OF_COLOURS), `${view}, dark`)
  await page.emulateMedia({ colorScheme: 'light' })
  if (isOnPhoneToo && wide) await page.setViewportSize(wide)
}

async function expectNoFault(axe: AxeBuilder, view: string): Promise<void> {
  const { violations } = await axe.analyze()
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({
      view,
      id,
      help,
      at: nodes
        .slice(0, 3)
        .map(({ html, failureSummary = '' }) => `${html.slice(0, 120)}: ${failureSummary}`),
    }))
  expect(grave).toEqual([])
}
