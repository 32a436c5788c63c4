import { formatBytes, formatDateTime } from '../../../lib/format.ts'
import type { Entry } from '../models/entries.ts'

/** Size and time in words; empty where nobody knows them. */
export const sizeText = ({ sizeBytes }: Entry, language: string): string =>
  sizeBytes === null ? '' : formatBytes(sizeBytes, language)

export const timeText = ({ modifiedAtMs }: Entry, language: string): string =>
  modifiedAtMs === null ? '' : formatDateTime(modifiedAtMs, language)
