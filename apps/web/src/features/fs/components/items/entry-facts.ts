import { showInvisible } from '../../../../lib/text/invisible-characters.ts'
import { formatBytes, formatDateTime } from '../../../../lib/format.ts'
import type { useT } from '../../../../i18n/use-translation.ts'
import type { Entry } from '../../models/entries.ts'

/** Size as text; empty if unknown. */
export const sizeText = ({ sizeBytes }: Entry, language: string): string =>
  sizeBytes === null ? '' : formatBytes(sizeBytes, language)

export const timeText = ({ modifiedAtMs }: Entry, language: string): string =>
  modifiedAtMs === null ? '' : formatDateTime(modifiedAtMs, language)

type Translate = ReturnType<typeof useT>['t']

/** Label of the icon. Empty for files, because the name shows the type. */
export const folderText = ({ isVirtual, isFolder }: Entry, t: Translate): string => {
  if (isVirtual) return t('explorer.kind.mount')
  return isFolder ? t('explorer.kind.folder') : ''
}

/** Accessible name of a row. Without it, screen readers would announce every control in the row. */
export const spokenFacts = (entry: Entry, { t, language }: ReturnType<typeof useT>): string =>
  [showInvisible(entry.name), folderText(entry, t), sizeText(entry, language), timeText(entry, language)]
    .filter(Boolean)
    .join(t('common.separator'))
