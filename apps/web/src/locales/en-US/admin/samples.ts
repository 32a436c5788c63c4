import type { Locale } from '../../zh-CN/index.ts'

export const samples: Locale['samples'] = {
  title: 'Samples',
  offer: 'Want to look around first? Add some samples: a Markdown text, a file with a table, and a folder.',
  offerHint: 'You can remove them later with one button. Your own data is not touched.',
  make: 'Add samples',
  made: 'Samples added',
  text: 'These are samples. When they are removed, what you have changed or added stays.',
  kinds: { text: 'Text', file: 'File', folder: 'Folder' },
  remove: 'Remove samples',
  removed: 'Samples removed',
  kept: 'Samples removed. You have changed these, so they stay: {{names}}',
}
