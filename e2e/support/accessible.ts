import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'

const PHONE = { width: 360, height: 740 }

interface Examination {
  /** Checks at a width of 360 px as well, for views with another layout there. */
  readonly isOnPhoneToo?: boolean
}

/** Rules that depend on the theme. */
const OF_COLOURS = ['color-contrast']

/** WCAG 2.2's target size is off in axe by default. */
const OPTIONS = {
  resultTypes: ['violations'] as 'violations'[],
  rules: { 'target-size': { enabled: true } },
}

/**
 * A page without frames is checked in place with the axe script injected once, because injecting takes longer than
 * checking. Otherwise each check opens another page to merge its results.
 */
async function lookerFor(page: Page): Promise<() => AxeBuilder> {
  if (page.frames().length > 1) return () => new AxeBuilder({ page }).options({ ...OPTIONS })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return () => new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({ ...OPTIONS })
}

/** The current page has no fault that axe can find, in the light and the dark theme. */
export async function expectAccessible(
  page: Page,
  view: string,
  { isOnPhoneToo = false }: Examination = {},
): Promise<void> {
  const axe = await lookerFor(page)
  // If the view is also checked as a phone, all rules run there; here only with EVERY_WORLD=1.
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
  const faults = violations.map(({ id, impact, help, nodes }) => ({
    view,
    id,
    impact,
    help,
    at: nodes.slice(0, 3).map(({ html, failureSummary = '' }) => `${html.slice(0, 120)}: ${failureSummary}`),
  }))
  expect(faults).toEqual([])
}
