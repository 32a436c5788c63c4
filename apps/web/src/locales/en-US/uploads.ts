import type { Locale } from '../zh-CN/index.ts'

export const uploads: Locale['uploads'] = {
  title: 'Upload to {{folder}}',
  drop: 'Drop files or folders here',
  dropOver: 'Release to add',
  paste: 'Files and screenshots can be pasted too',
  pickFiles: 'Choose files',
  pickFolder: 'Choose a folder',
  picked: 'Chosen',
  pickedCount: 'Files: {{count}}, {{size}} in all',
  pickedFolders: 'Empty folders: {{count}}',
  more: 'and {{count}} more',
  remove: 'Leave {{name}} out',
  clear: 'Remove all',
  reading: 'Reading folders…',
  readFailed: 'What was dropped could not be read. Try again, or use the buttons',
  pastedName: 'screenshot',
  start: 'Start upload',
  method: 'Upload method',
  methods: {
    auto: 'Automatic',
    presigned: 'Straight to the storage',
    direct: 'Through the server',
    multipart: 'In parts',
  },
  hints: {
    auto: 'In parts from 16 MB on, in one go below',
    presigned: 'One request to the storage; starts over when it breaks off',
    direct: 'The server passes it on; for storages that the browser cannot reach',
    multipart: 'Can be paused, and goes on after a reload',
  },
}
