import type { Access } from '@dropleaf/contract'
import type { DeclaredRoute } from '../core/access.ts'

/** The kinds of callers that access declarations distinguish. */
export const CALLERS = ['nobody', 'no permission', 'text', 'file', 'mount', 'administrator'] as const

export type Caller = (typeof CALLERS)[number]

const EVERYBODY: readonly Caller[] = CALLERS

/** Callers that each access declaration admits. The route itself decides about the individual request. */
export const LETS_IN: Readonly<Record<Access, readonly Caller[]>> = {
  public: EVERYBODY,
  share: EVERYBODY,
  signed: EVERYBODY,
  identity: CALLERS.filter((caller) => caller !== 'nobody'),
  text: ['text', 'administrator'],
  file: ['file', 'administrator'],
  text_or_file: ['text', 'file', 'administrator'],
  mount: ['mount', 'administrator'],
  admin: ['administrator'],
}

/** Table cell for an admitted caller, instead of `yes`. */
const MARKS: Readonly<Partial<Record<Access, string>>> = { share: 'link', signed: 'address' }

const cellOf = (access: Access, caller: Caller) =>
  LETS_IN[access].includes(caller) ? (MARKS[access] ?? 'yes') : '–'

const byPlace = (a: DeclaredRoute, b: DeclaredRoute) =>
  a.url.localeCompare(b.url, 'en') || a.method.localeCompare(b.method, 'en')

const rowOf = ({ method, url, access }: DeclaredRoute) =>
  `| \`${method} ${url}\` | ${CALLERS.map((caller) => cellOf(access, caller)).join(' | ')} |`

/** Returns a Markdown table of every route and its callers. */
export function accessTable(routes: readonly DeclaredRoute[]): string {
  // Leaves out HEAD, which is a GET without a body.
  const shown = routes.filter(({ method }) => method !== 'HEAD').toSorted(byPlace)
  return [
    `| Route | ${CALLERS.join(' | ')} |`,
    `| --- | ${CALLERS.map(() => '---').join(' | ')} |`,
    ...shown.map(rowOf),
  ].join('\n')
}

export const TABLE_BEGIN = '<!-- permissions: begin -->'
export const TABLE_END = '<!-- permissions: end -->'
