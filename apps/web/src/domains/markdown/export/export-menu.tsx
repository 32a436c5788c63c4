import { ActionIcon } from '@mantine/core'
import {
  IconClipboardText,
  IconFileTypeDocx,
  IconFileTypeHtml,
  IconFileTypePdf,
  IconFileTypePng,
  IconMarkdown,
  IconPackageExport,
} from '@tabler/icons-react'
import { useState } from 'react'
import { type ExportForm, exportText } from './export-text.ts'
import { type ExportWords, fill } from './drawn-document.ts'
import { PictureTooLarge } from './picture-of-page.ts'
import { loadGroup } from '../../../i18n/languages.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { Menu } from '../../../ui/dialogs/menu.tsx'

interface ExportMenuProps {
  /** Returns the Markdown. Called when an export starts. */
  read: () => string
  /**
   * Title of the document, also used for file names; `null` means the first heading of the text. A title in the front
   * matter takes precedence.
   */
  title: string | null
}

type Entry = readonly [form: ExportForm, word: keyof ExportWords, Icon: typeof IconMarkdown]

const FILES: readonly Entry[] = [
  ['markdown', 'asMarkdown', IconMarkdown],
  ['html', 'asHtml', IconFileTypeHtml],
  ['pdf', 'asPdf', IconFileTypePdf],
  ['image', 'asImage', IconFileTypePng],
  ['word', 'asWord', IconFileTypeDocx],
]
const COPIES: readonly Entry[] = [
  ['copyMarkdown', 'copyMarkdown', IconMarkdown],
  ['copyHtml', 'copyHtml', IconClipboardText],
  ['copyPlain', 'copyPlain', IconClipboardText],
]

/** Returns the text of the first heading that starts with `#`, or an empty string. */
const firstHeading = (text: string): string =>
  /^ {0,3}#{1,6}[ \t]+(.*)$/m
    .exec(text)?.[1]
    ?.replace(/[ \t]#+[ \t]*$/, '')
    .trim() ?? ''

/** Menu that saves, prints or copies a text in the chosen format. */
export function ExportMenu({ read, title }: ExportMenuProps) {
  const { t, language } = useT()
  const [isBusy, setBusy] = useState(false)
  const start = async (form: ExportForm) => {
    setBusy(true)
    try {
      const { exports: words } = await loadGroup(language, 'exports')
      const text = read()
      const {
        hasCopied,
        leftOut,
        pictures = 1,
      } = await exportText(form, {
        text,
        title: title ?? firstHeading(text),
        words,
        language,
      })
      if (hasCopied !== undefined) {
        notify(hasCopied ? 'success' : 'error', hasCopied ? words.copied : words.copyFailed)
      }
      if (pictures > 1) notify('info', fill(words.inPictures, { count: pictures }))
      if (leftOut > 0) notify('info', fill(words.picturesLeftOut, { count: leftOut }))
    } catch (error) {
      const reason = t(error instanceof PictureTooLarge ? 'exports.tooLarge' : 'exports.failedUnknown')
      notify('error', t('exports.failed', { reason }))
    } finally {
      setBusy(false)
    }
  }
  const items = (entries: readonly Entry[]) =>
    entries.map(([form, word, Icon]) => (
      <Menu.Item key={form} leftSection={<Icon size={18} aria-hidden />} onClick={() => void start(form)}>
        {t(`exports.${word}`)}
      </Menu.Item>
    ))
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          loading={isBusy}
          aria-label={t(isBusy ? 'exports.working' : 'exports.title')}
          title={t(isBusy ? 'exports.working' : 'exports.title')}
        >
          <IconPackageExport size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {items(FILES)}
        <Menu.Divider />
        {items(COPIES)}
      </Menu.Dropdown>
    </Menu>
  )
}
