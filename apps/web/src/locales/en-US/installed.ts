import type { installed as chinese } from '../zh-CN/installed.ts'

export const installed: typeof chinese = {
  name: 'Dropleaf - Online clipboard',
  description: 'Your own online clipboard: share text and files, and browse your storage.',
  pageDescription: 'Share text and files from your own server.',
  needsScript: 'Dropleaf requires JavaScript.',
  needsScriptToRead: 'Reading shared text here requires JavaScript.',
  tooOld:
    'This browser is too old for Dropleaf. It needs Chrome or Edge 126, Firefox 126, Safari 18 (iOS 18), or later.',
  wideScreenshot: 'Write text with a live preview',
  narrowScreenshot: 'Read shared text',
  upload: 'Upload files',
  files: 'Browse files',
  admin: 'Admin',
}
