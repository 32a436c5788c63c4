import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import axeCore from 'axe-core'

const PHONE = { width: 360, height: 740 }

interface Examination {
  /** Whether to check the view at a width of 360 px too. Set if its layout differs there. */
  readonly isOnPhoneToo?: boolean
}

/** Rules whose result depends on the theme. */
const OF_COLOURS = ['color-contrast']

/** Options of axe. They enable the target size rule of WCAG 2.2, which axe disables by default. */
const OPTIONS = {
  resultTypes: ['violations'] as 'violations'[],
  rules: { 'target-size': { enabled: true } },
}

/**
 * Returns a function that creates axe checks. On a page without frames, the axe script is injected only once, because
 * injecting takes longer than checking. With frames, each check opens another page to merge its results.
 */
async function lookerFor(page: Page): Promise<() => AxeBuilder> {
  if (page.frames().length > 1) return () => new AxeBuilder({ page }).options({ ...OPTIONS })
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeCore.source)
  return () => new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({ ...OPTIONS })
}

/** Expects that axe finds no violation on the current page, in the light and the dark theme. */
export async function expectAccessible(
  page: Page,
  view: string,
  { isOnPhoneToo = false }: Examination = {},
): Promise<void> {
  const axe = await lookerFor(page)
  // If the view is also checked at a phone's width, all rules run there. At the current width, only the rules of colors
  // then run, except with `EVERY_WORLD=1`.
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
