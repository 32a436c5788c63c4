import type { Locale } from '../../zh-CN/index.ts'

export const reconciliation: Locale['reconciliation'] = {
  title: 'Storage check',
  begin: 'Check now',
  begun: 'The storage check has started',
  never:
    'Not checked yet. A check compares the database with every storage and reports what does not match; it changes nothing by itself.',
  running_one: 'Checking, {{count}} item so far',
  running_other: 'Checking, {{count}} items so far',
  cancelled: 'The last check was canceled.',
  unread: 'These storages could not be read and were not checked:',
  clean_one: 'Checked {{time}}: {{count}} item, no problems found.',
  clean_other: 'Checked {{time}}: {{count}} items, no problems found.',
  done_one: 'Checked {{time}}: {{count}} item. These do not match:',
  done_other: 'Checked {{time}}: {{count}} items. These do not match:',
  removed: '{{count}} removed',
  repair: 'Repair…',
  repairOf: 'Repair: {{name}}',
  keep: 'Keep',
  remove: 'Remove {{count}}',
  more: 'and {{count}} more',
  kinds: {
    shares: {
      name: 'Shares with missing files',
      ask: 'Remove these shares?',
      text: 'Their files are no longer in the storage, so their links do not work. Keep them if the files can be restored, or if a storage points to the wrong location. Each file is checked once more before its share is removed.',
    },
    objects: {
      name: 'Orphaned files',
      ask: 'Delete these files?',
      text: 'They were uploaded at least a day ago for shares that no longer exist. Files added in the explorer or by other programs are never included. If the database was restored from an older backup, they may belong to shares created after it. This cannot be undone.',
    },
    parts: {
      name: 'Parts of interrupted uploads',
      ask: 'Remove these parts?',
      text: 'Nothing has been added to these uploads for a day. If other programs use the same bucket, their unfinished uploads may be included.',
    },
    reservations: {
      name: 'Unfinished uploads',
      ask: 'Discard these uploads?',
      text: 'They have timed out but still take up space. The regular cleanup will remove them later; this removes them now.',
    },
  },
}
