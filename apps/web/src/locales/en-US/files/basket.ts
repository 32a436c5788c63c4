import type { Locale } from '../../zh-CN/index.ts'

export const basket: Locale['basket'] = {
  title: 'File basket',
  empty: 'The basket is empty',
  emptyHint: 'Add files and folders from a list or from search results, then download them as one archive.',
  putBack: 'Put everything back',
  summary_one: '{{number}} item, {{size}}',
  summary_other: '{{number}} items, {{size}}',
  clear: 'Empty the basket',
  remove: 'Remove “{{name}}” from the basket',
  packer: 'Packed by',
  server: 'The server',
  browser: 'This browser',
  serverHint: 'The server sends the archive while it reads the files. Fits any size.',
  browserHint:
    'The browser downloads the files directly from the storage, without using the server’s bandwidth. Keep this page open until it is finished.',
  pack: 'Download as archive',
  progress: 'Progress of packing',
  risk: {
    large: 'This is {{size}}, so packing may take a while.',
    huge: 'This is {{size}}, which takes a browser very long. The server does it better.',
    memory:
      'This is {{size}}, and this browser must hold all of it in memory, which will probably fail. Let the server pack it.',
  },
  handedOver:
    'The browser has begun the download. What could not be read is named in archive-report.txt inside; look before you empty the basket.',
  stages: {
    choosing: 'Choose where to save “{{name}}”…',
    preparing: 'Preparing “{{name}}”…',
    downloading: 'Packing “{{name}}”, {{size}} so far',
    generating: 'Finishing “{{name}}”…',
    completed: '“{{name}}” is saved, {{size}}',
    failed: 'The archive was not made. Everything is still in the basket.',
    cancelled: 'Packing was cancelled. Everything is still in the basket.',
  },
  missing_one: '{{count}} file is not in it',
  missing_other: '{{count}} files are not in it',
  added_one: '{{count}} item added to the basket',
  added_other: '{{count}} items added to the basket',
  alreadyIn: 'That is in the basket already',
  open_one: 'File basket, {{count}} item',
  open_other: 'File basket, {{count}} items',
}
