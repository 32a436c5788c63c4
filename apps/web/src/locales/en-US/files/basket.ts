import type { Locale } from '../../zh-CN/index.ts'

export const basket: Locale['basket'] = {
  title: 'File basket',
  empty: 'The basket is empty',
  emptyHint: 'Add files and folders from a folder or from search results, then download them as one archive.',
  putBack: 'Put everything back',
  summary_one: '{{number}} item, {{size}}',
  summary_other: '{{number}} items, {{size}}',
  clear: 'Empty the basket',
  remove: 'Remove “{{name}}” from the basket',
  packer: 'Created by',
  server: 'The server',
  browser: 'This browser',
  serverHint: 'The server creates the archive while sending it. Works for any size.',
  browserHint:
    'The browser downloads the files directly from the storage, without using the server’s bandwidth. Keep this page open until it is finished.',
  pack: 'Download as archive',
  progress: 'Archive progress',
  risk: {
    large: 'These files are {{size}} in total, so this may take a while.',
    huge: 'At {{size}}, this would take a very long time in the browser. Let the server do it instead.',
    memory:
      'This browser would have to keep all {{size}} in memory, which will probably fail. Let the server do it instead.',
  },
  handedOver:
    'The browser has started the download. Files that could not be read are listed in archive-report.txt inside the archive. Check it before you empty the basket.',
  stages: {
    choosing: 'Choose where to save “{{name}}”…',
    preparing: 'Preparing “{{name}}”…',
    downloading: 'Creating “{{name}}”, {{size}} so far',
    generating: 'Finishing “{{name}}”…',
    completed: 'Saved “{{name}}” ({{size}})',
    failed: 'The archive could not be created. Everything is still in the basket.',
    cancelled: 'The archive was canceled. Everything is still in the basket.',
  },
  missing_one: '{{count}} file is missing from the archive',
  missing_other: '{{count}} files are missing from the archive',
  added_one: '{{count}} item added to the basket',
  added_other: '{{count}} items added to the basket',
  alreadyIn: 'Already in the basket',
  open_one: 'File basket, {{count}} item',
  open_other: 'File basket, {{count}} items',
}
