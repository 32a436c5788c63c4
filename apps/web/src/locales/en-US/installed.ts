import type { installed as chinese } from '../zh-CN/installed.ts'

export const installed: typeof chinese = {
  name: 'Dropleaf - Online clipboard',
  description: 'A clipboard of your own: share texts and files, and browse your storage.',
  pageDescription: 'Texts and files to share, on a server of your own.',
  needsScript: 'Dropleaf needs JavaScript.',
  needsScriptToRead: 'Reading a shared text here needs JavaScript.',
  tooOld:
    'This browser is too old for Dropleaf. It needs Chrome or Edge 126, Firefox 126, Safari 18 (iOS 18), or later.',
  wideScreenshot: 'Write a text and see its preview',
  narrowScreenshot: 'Read a shared text',
  upload: 'Upload files',
  files: 'Browse files',
  admin: 'Admin',
}
