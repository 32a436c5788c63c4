/**
 * Returns the expiry in the format of the API; `null` means never.
 * @param hours lifetime from now; 0 if it has no end
 */
export const expiryInstant = (hours: number, nowMs = Date.now()): string | null =>
  hours > 0 ? new Date(nowMs + hours * 3_600_000).toISOString() : null
