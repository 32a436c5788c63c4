import { exportText } from './export-text.ts'
import { fill } from './drawn-document.ts'
import { type Language, loadGroup } from '../../../i18n/languages.ts'
import { notify } from '../../../lib/notices.ts'

export async function printText(text: string, title: string, language: Language): Promise<void> {
  const { exports: words } = await loadGroup(language, 'exports')
  const { leftOut } = await exportText('pdf', { text, title, words, language })
  if (leftOut > 0) notify('info', fill(words.picturesLeftOut, { count: leftOut }))
}
