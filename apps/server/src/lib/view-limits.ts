/** Unlimited is 0, `null` or absent on the wire, `null` in the table. */
export const toStoredLimit = (maxViews: number | null): number | null =>
  maxViews === null || maxViews === 0 ? null : maxViews
