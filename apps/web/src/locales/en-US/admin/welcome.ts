import type { Locale } from '../../zh-CN/index.ts'

export const welcome: Locale['welcome'] = {
  title: 'Getting started',
  heading: 'Welcome to Dropleaf',
  intro:
    'Four small steps, a few minutes. Each of them can be skipped, and changed later in the admin panel.',
  steps: {
    label: 'Steps',
    language: 'Language',
    password: 'Password',
    storage: 'Storage',
    share: 'First share',
    done: 'Done',
    position: 'Step {{step}} of {{steps}}',
    passed: '{{step}} (done)',
  },
  back: 'Back',
  next: 'Continue',
  skip: 'Skip for now',
  later: 'Later',
  laterNotice: 'Left for later. Go on from the dashboard or the settings',
  failed: 'The progress could not be saved: {{reason}}',
  resume: { text: 'The setup of this server is not finished yet.', action: 'Go on' },
  reopen: {
    title: 'Getting started',
    text: 'Language, password, storage and a first share, step by step.',
    action: 'Open the guide',
  },
  language: {
    title: 'Choose a language',
    text: 'Each browser remembers its own. It can be changed at any time at the top of the page.',
    label: 'Language in this browser',
  },
  password: {
    title: 'Set a password of your own',
    text: {
      console:
        'The current password was made up by the server and shown once on the console. Choose one that you remember and nobody else guesses.',
      environment:
        'The current password comes from the variable ADMIN_PASSWORD. That counts at the first start only: once you change it here, the new one does.',
      own: 'The account was changed since the first start. There is nothing to do in this step.',
    },
    username: 'Username',
    currentHint: {
      console: 'The one that the server showed on the console',
      environment: 'The one in ADMIN_PASSWORD',
      own: 'The one you log in with now',
    },
    newHint:
      'At least {{count}} characters. Some words that do not belong together are easy to remember and hard to guess',
    set: 'Set it and continue',
    saved: 'Password changed. Other devices have to log in again',
    toSettings: 'Username and password can be changed in the settings later.',
  },
  storage: {
    title: 'Where files are kept',
    text: 'Files can be kept on this server already, so there is nothing you must do. If you have an S3 bucket, you can connect it now.',
    noDiskText:
      'There is no storage on this server. Connect an S3 bucket, or make a storage on the local disk.',
    disk: 'Local disk',
    folder: 'Folder',
    free: 'Free space',
    freeOf: '{{free}} of {{total}}',
    fewFree: 'There is little room left. Put large files into a bucket, or make room on the disk first.',
    connected: 'Storages',
    bucket: 'S3 bucket',
    connect: 'Connect a bucket',
    connectHint:
      'Cloudflare R2, Backblaze B2, AWS S3, Aliyun OSS, or any S3-compatible storage. Its connection is tested right away, and you are told what to change.',
    defaultHint: 'New file shares go to the default storage.',
    unmounted: '“{{name}}” is not mounted yet, so the file explorer does not show it.',
    mount: 'Mount it',
  },
  share: {
    title: 'Share something',
    text: 'Write a few words or choose a file, and you have a link.',
    field: 'Text to share',
    placeholder: 'The Wi-Fi password of the meeting room, some code, a shopping list…',
    create: 'Create link',
    or: 'or',
    file: 'Choose a file',
    sending: 'Uploading “{{name}}”',
    tooLate: '“{{name}}” could not be shared: {{reason}}',
    resultText: 'Here is the link to “{{name}}”',
    resultOfText: 'Here is the link to your text',
    copy: 'Copy link',
    open: 'Open',
    another: 'Share another',
    onlyHere:
      'This link begins with {{host}} and works on this computer only. For phones and other people, open Dropleaf by the address that the server has in the network.',
  },
  done: {
    title: 'Ready to use',
    text: 'What you can do next:',
    links: {
      home: { title: 'Write a text', text: 'The home page is an editor with Markdown' },
      upload: { title: 'Upload files', text: 'With a password, an expiry and a view limit if you like' },
      keys: {
        title: 'Create API keys',
        text: 'For other people, devices and scripts, within limits that you set',
      },
      mounts: { title: 'Manage mounts', text: 'Make storages appear in the file explorer' },
      webdav: { title: 'Connect a network drive', text: 'Use the mounts like a disk, over WebDAV' },
      backup: { title: 'Take backups', text: 'Export settings and shares; files are in the data folder' },
    },
    finish: 'Go to the dashboard',
  },
}
