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

/** The size of targets is of WCAG 2.2; axe looks at it when asked to. */
const OPTIONS = {
  resultTypes: ['violations'] as 'violations'[],
  rules: { 'target-size': { enabled: true } },
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

/** The page, as it is now, has no fault that a machine can find, in light colours and in dark ones. */
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
  const faults = violations.map(({ id, impact, help, nodes }) => ({
    view,
    id,
    impact,
    help,
    at: nodes.slice(0, 3).map(({ html, failureSummary = '' }) => `${html.slice(0, 120)}: ${failureSummary}`),
  }))
  expect(faults).toEqual([])
}
