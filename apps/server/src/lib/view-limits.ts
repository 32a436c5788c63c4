/** Converts a view limit. Unlimited is 0, `null` or absent in the API, and `null` in the table. */
export const toStoredLimit = (maxViews: number | null): number | null =>
  maxViews === null || maxViews === 0 ? null : maxViews
