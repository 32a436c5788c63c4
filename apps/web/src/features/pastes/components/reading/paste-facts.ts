import type { ReadablePaste } from '@dropleaf/contract'
import { parseLines } from '../../../../ui/text-lines/line-range.ts'
import { formatDateTime, formatNumber, formatRelative } from '../../../../lib/format.ts'

/** Texts of the facts about a share. The page uses them before and after the app has loaded. */

export type FactWord =
  | 'paste.created'
  | 'paste.expires'
  | 'paste.expiredAt'
  | 'paste.viewsLeft'
  | 'paste.lastView'
export type TranslateFact = (word: FactWord, values: Record<string, string>) => string

export interface Fact {
  readonly key: string
  readonly text: string
  readonly isUrgent: boolean
}

interface FactContext {
  readonly translate: TranslateFact
  readonly language: string
  readonly nowMs: number
}

type FactFields = Pick<ReadablePaste, 'createdAt' | 'expiresAt' | 'maxViews' | 'views'>

const HOUR_MS = 3_600_000

/** Returns the line below the title: creation, expiry and remaining views. */
export function pasteFacts(paste: FactFields, { translate, language, nowMs }: FactContext): Fact[] {
  const facts: Fact[] = []
  const date = formatDateTime(paste.createdAt, language)
  facts.push({ key: 'created', text: translate('paste.created', { date }), isUrgent: false })
  if (paste.expiresAt !== null) {
    const leftMs = new Date(paste.expiresAt).getTime() - nowMs
    const values = {
      date: formatDateTime(paste.expiresAt, language),
      relative: formatRelative(paste.expiresAt, language, { nowMs }),
    }
    const word = leftMs > 0 ? 'paste.expires' : 'paste.expiredAt'
    facts.push({ key: 'expires', text: translate(word, values), isUrgent: leftMs < HOUR_MS })
  }
  if (paste.maxViews !== null && paste.maxViews > 0) {
    const left = Math.max(0, paste.maxViews - paste.views)
    const count = formatNumber(left, language)
    const text = left === 0 ? translate('paste.lastView', {}) : translate('paste.viewsLeft', { count })
    facts.push({ key: 'views', text, isUrgent: left < 3 })
  }
  return facts
}

export type PasteFormat = 'markdown' | 'plain'

/**
 * Initial format of a share. If the URL has line numbers, the source is shown, because line numbers refer to the
 * source.
 */
export const firstFormat = (paste: Pick<ReadablePaste, 'content_type'>, hash: string): PasteFormat =>
  paste.content_type === 'text/markdown' && parseLines(hash) === null ? 'markdown' : 'plain'
