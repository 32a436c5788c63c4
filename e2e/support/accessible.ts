import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

interface Examination {
  /** Looks at contrast alone: for a view that was examined in another theme, which differs in nothing else. */
  readonly isOfColours?: boolean
}

/** The page, as it is now, has no serious or critical fault that a machine can find. */
export async function expectAccessible(
  page: Page,
  view: string,
  { isOfColours = false }: Examination = {},
): Promise<void> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const { violations } = await (isOfColours ? axe.withRules(['color-contrast']) : axe).analyze()
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
