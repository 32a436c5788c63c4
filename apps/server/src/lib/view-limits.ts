/** The wire says unlimited as 0, `null` or nothing; the table as `null`. */
export const toStoredLimit = (maxViews: number | null): number | null =>
  maxViews === null || maxViews === 0 ? null : maxViews
