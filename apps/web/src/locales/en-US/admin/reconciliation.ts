import type { Locale } from '../../zh-CN/index.ts'

export const reconciliation: Locale['reconciliation'] = {
  title: 'Storage check',
  begin: 'Check now',
  never:
    'Not checked yet. A check compares the database with every storage and tells what does not fit together; by itself it changes nothing.',
  running: 'Checking, items so far: {{count}}',
  cancelled: 'The last check was cancelled.',
  unread: 'These storages could not be read and were not checked:',
  clean: 'Checked {{time}}, items: {{count}}. Nothing is out of place.',
  done: 'Checked {{time}}, items: {{count}}. This does not fit together:',
  removed: 'removed: {{count}}',
  repair: 'Repair…',
  repairOf: 'Repair: {{name}}',
  keep: 'Keep',
  remove: 'Remove {{count}}',
  more: 'Not listed: {{count}}',
  kinds: {
    shares: {
      name: 'Shares whose file is gone',
      ask: 'Remove these shares?',
      text: 'Their files are no longer in the storage, so their links do not open. Keep them if the files can be brought back, or if a storage points to the wrong place. Each file is looked for once more before its share goes.',
    },
    objects: {
      name: 'Files without their share',
      ask: 'Delete these files?',
      text: 'They were uploaded for shares that are gone, and are a day old at least. Files that were put there through the explorer or by other programs are never among them. If the database came from an older backup, they may be shares made after it. This cannot be undone.',
    },
    parts: {
      name: 'Parts of broken-off uploads',
      ask: 'Remove these parts?',
      text: 'Nothing was added to these uploads for a day. If other programs use the same bucket, their unfinished uploads may be among them.',
    },
    reservations: {
      name: 'Uploads that were not finished',
      ask: 'Give these uploads up?',
      text: 'Their time is over, and they still hold room. The regular sweep sees to them too; this does it now.',
    },
  },
}
