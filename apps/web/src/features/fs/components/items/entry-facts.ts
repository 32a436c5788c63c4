import { showInvisible } from '../../../../lib/text/invisible-characters.ts'
import { formatBytes, formatDateTime } from '../../../../lib/format.ts'
import type { useT } from '../../../../i18n/use-translation.ts'
import type { Entry } from '../../models/entries.ts'

/** Size and time in words; empty where nobody knows them. */
export const sizeText = ({ sizeBytes }: Entry, language: string): string =>
  sizeBytes === null ? '' : formatBytes(sizeBytes, language)

export const timeText = ({ modifiedAtMs }: Entry, language: string): string =>
  modifiedAtMs === null ? '' : formatDateTime(modifiedAtMs, language)

type Translate = ReturnType<typeof useT>['t']

/** What its sign shows: empty for files, whose name says what they are. */
export const folderText = ({ isVirtual, isFolder }: Entry, t: Translate): string => {
  if (isVirtual) return t('explorer.kind.mount')
  return isFolder ? t('explorer.kind.folder') : ''
}

/** What a screen reader announces for an entry: otherwise it would also read each control in the row. */
export const spokenFacts = (entry: Entry, { t, language }: ReturnType<typeof useT>): string =>
  [showInvisible(entry.name), folderText(entry, t), sizeText(entry, language), timeText(entry, language)]
    .filter(Boolean)
    .join(t('common.separator'))
