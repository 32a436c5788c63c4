import { showUnseen } from '../../../lib/unseen-letters.ts'
import { formatBytes, formatDateTime } from '../../../lib/format.ts'
import type { Entry } from '../models/entries.ts'

/** Size and time in words; empty where nobody knows them. */
export const sizeText = ({ sizeBytes }: Entry, language: string): string =>
  sizeBytes === null ? '' : formatBytes(sizeBytes, language)

export const timeText = ({ modifiedAtMs }: Entry, language: string): string =>
  modifiedAtMs === null ? '' : formatDateTime(modifiedAtMs, language)

/** What a reader hears of an entry in one go: without it, the words of each control in its row as well. */
export const spokenFacts = (entry: Entry, language: string, separator: string): string =>
  [showUnseen(entry.name), sizeText(entry, language), timeText(entry, language)]
    .filter(Boolean)
    .join(separator)
