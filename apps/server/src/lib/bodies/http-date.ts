/** The current form of HTTP dates, and an obsolete form that must still be accepted. */
const FORMS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
] as const
/** Obsolete form without a time zone, which means GMT. */
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * Returns the date of a header in milliseconds, or `NaN` if the text is not an HTTP date. `NaN` makes the condition
 * ineffective. `Date.parse` alone would accept `2020`.
 * Source: RFC 9110, section 5.6.7, read 2026-11-26.
 */
export function parseHttpDate(text: string): number {
  if (FORMS.some((form) => form.test(text))) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
