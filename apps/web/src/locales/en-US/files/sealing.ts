import type { sealing as chinese } from '../../zh-CN/files/sealing.ts'

export const sealing: typeof chinese = {
  text: 'Text',
  pack_one: '{{count}} small file',
  pack_other: '{{count}} small files',
  copyBare: 'Copy link without key',
  copyBareOf: 'Copy link without key: “{{name}}”',
  copyKey: 'Copy key',
  copyKeyOf: 'Copy key: “{{name}}”',
  linkCopied: 'Link with key copied',
  bareCopied: 'Link without key copied',
  keyCopied: 'Key copied',
  lostKey: 'The key is only in this link. If the link is lost, nobody can restore the contents.',
  encrypted: 'Encrypted',
  encryptedNoKey: 'Encrypted · no key here',
  canOpen: 'This browser can open it',
  cannotOpen: 'This browser does not have the key',
  oneLink: 'Encrypted files share the link of the text.',
  useUploadPage: 'With this login, you cannot share texts. Use the upload page for encrypted files.',
  noPasswordChange:
    'The password of an end-to-end encrypted share cannot be changed, because it is part of the key.',
  onlyYou: 'The server does not know the password. Only you know it.',
  editing: {
    keyTitle: 'The key is needed',
    keyText:
      'This share can be edited only with its key. Enter the key or the whole link. The key is not sent to the server, and this browser keeps it until you log out.',
    passwordTitle: 'The password is needed',
    passwordText:
      'The password is part of the key. This browser does not keep it, so it is needed for each edit.',
    otherKey: 'Enter another key',
    wrongKept:
      'The key that this browser keeps does not open this share, or the server returned different contents.',
    draft: 'Not published yet. Finish it on the page where it was started, or delete it.',
    unreadable:
      '“{{path}}” must be sent again, because it was stored together with a file that you removed. It could not be read: {{reason}}',
  },
  url: 'The server fetches files from an address, so they are not end-to-end encrypted.',
  urlRequired:
    'This server accepts only end-to-end encrypted shares, and cannot encrypt files that it fetches from an address. Download the file and share it from your device.',
  switch: {
    hint: 'Only people with the link can read it. The server and the storage see no contents, names, or types.',
    required: 'This server accepts only end-to-end encrypted shares.',
    insecure: 'Browsers encrypt only on pages with an https address.',
    blocked:
      'This server accepts only end-to-end encrypted shares, but browsers encrypt only on pages with an https address. Open this page with an address that starts with https://.',
    begun: 'The encryption of an unfinished share cannot be changed.',
    about: 'What is hidden, what is not',
  },
  logout: {
    title: 'Log out and delete keys?',
    text_one:
      'This browser will delete the key of {{count}} end-to-end encrypted share. Without the link and its key, nobody can open it again:',
    text_other:
      'This browser will delete the keys of {{count}} end-to-end encrypted shares. Without the links and their keys, nobody can open them again:',
    confirm: 'Log out and delete keys',
  },
  copyDialog: {
    title: 'Share an encrypted copy',
    hint: 'This browser downloads the selected files, encrypts them, and sends them. The copy does not follow later changes.',
    start: 'Download and encrypt',
    loading: 'Downloading “{{name}}”…',
  },
}
