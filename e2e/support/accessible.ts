import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The page, as it is now, has no serious or critical fault that a machine can find. */
export async function expectAccessible(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
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
