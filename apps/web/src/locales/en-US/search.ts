import type { Locale } from '../zh-CN/index.ts'

export const search: Locale['search'] = {
  title: 'Search files',
  open: 'Search files',
  field: 'Part of a file name',
  clear: 'Clear the field',
  scope: 'Where to search',
  scopes: {
    directory: 'This folder',
    mount: 'This mount',
    global: 'Everywhere',
  },
  start: 'Finds files by name, in any case. Choose with ↑ and ↓, open with Enter.',
  tooShort: 'Type at least {{count}} characters',
  running: 'Searching',
  nothing: 'No file matches. Try other words or a wider scope.',
  found: 'Files found: {{number}}, mounts searched: {{mounts}}',
  incomplete: 'A storage is still being indexed, so there may be more files than these.',
  results: 'Search results',
  more: 'Show more',
  history: 'Recent searches',
  clearHistory: 'Clear history',
  copyPath: 'Copy the path of “{{name}}”',
  pathCopied: 'Path copied',
  toBasket: 'Add “{{name}}” to the basket',
}
