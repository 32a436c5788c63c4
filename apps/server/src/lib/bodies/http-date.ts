/** The form that is sent today, and the two that are to be understood still. */
const FORMS = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
] as const
/** Without a zone, and meant as GMT. */
const ASCTIME = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/**
 * The instant of a header in milliseconds; `NaN` for what is no date of HTTP, which a condition is ignored for: `Date.parse` would
 * take `2020` for one.
 * Source: RFC 9110, section 5.6.7, read 2026-11-26.
 */
export function parseHttpDate(text: string): number {
  if (FORMS.some((form) => form.test(text))) return Date.parse(text)
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}
