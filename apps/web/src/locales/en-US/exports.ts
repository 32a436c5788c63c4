import type { exportWords as chinese } from '../zh-CN/exports.ts'

export const exportWords: typeof chinese = {
  title: 'Export',
  asMarkdown: 'Markdown file (.md)',
  asHtml: 'Web page (.html)',
  asPdf: 'PDF (by printing)',
  asImage: 'Picture (.png)',
  asWord: 'Word document (.docx)',
  copyMarkdown: 'Copy as Markdown',
  copyHtml: 'Copy as formatted text',
  copyPlain: 'Copy as plain text',
  copied: 'Copied',
  copyFailed: 'Could not copy. Select the text and copy it manually.',
  working: 'Exporting…',
  failed: 'The export failed: {{reason}}',
  failedUnknown: 'something went wrong. Try again',
  tooLarge: 'the text is too long for a picture. Choose PDF or web page',
  inPictures:
    'The text is too long for one picture, so {{count}} numbered pictures were saved in an archive.',
  picturesLeftOut: 'Pictures replaced by text because they could not be read: {{count}}',
  picture: 'Picture: {{name}}',
  media: 'Recording: {{name}}',
  footnotes: 'Footnotes',
  untitled: 'text',
}
