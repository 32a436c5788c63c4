import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const PHONE = { width: 360, height: 740 }

interface Examination {
  /** Looks at the page once more on a screen of 360 px: for views that have another form there. */
  readonly isOnPhoneToo?: boolean
}

/** The rules whose outcome the theme may change. */
const OF_COLOURS = ['color-contrast']

/** The page, as it is now, has no serious or critical fault that a machine can find, in light colours and in dark ones. */
export async function expectAccessible(
  page: Page,
  view: string,
  { isOnPhoneToo = false }: Examination = {},
): Promise<void> {
  // A page without frames is looked at in place; otherwise each look opens another page to join what was found.
  const isOne = page.frames().length === 1
  const axe = () => new AxeBuilder({ page }).setLegacyMode(isOne).options({ resultTypes: ['violations'] })
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
