import type { Locale } from '../../zh-CN/index.ts'

export const shares: Locale['shares'] = {
  state: { label: 'Status', all: 'Any status', active: 'Active', over: 'Expired or used up' },
  protection: { label: 'Password', all: 'Password or not', yes: 'With password', no: 'No password' },
  creator: { label: 'Creator', all: 'Created by anyone' },
  anyStorage: 'Any storage',
  deletedKey: 'Deleted key',
  expired: 'Expired',
  viewsOf: '{{used}} of {{max}}',
  columns: {
    link: 'Link',
    name: 'Name',
    remark: 'Remark',
    text: 'Text',
    created: 'Created',
    expires: 'Expires',
    views: 'Views',
    creator: 'By',
    size: 'Size',
    storage: 'Storage',
  },
  actions: {
    of: 'More for “{{name}}”',
    preview: 'View “{{name}}”',
    edit: 'Edit “{{name}}”',
    copyLink: 'Copy link',
    copyLinkOf: 'Copy link of /{{slug}}',
    copyRaw: 'Copy raw link',
    copyDirect: 'Copy direct link',
    open: 'Open in a new tab',
    qr: 'QR code',
    delete: 'Delete',
    copied: 'Copied',
  },
  deletion: {
    done_one: '{{count}} share deleted',
    done_other: '{{count}} shares deleted',
    failed_one: '{{count}} share could not be deleted. {{reason}}',
    failed_other: '{{count}} shares could not be deleted. {{reason}}',
    progress: '{{done}} of {{total}} deleted',
    background: 'Go on in the background',
    stop: 'Stop',
  },
}

export const texts: Locale['texts'] = {
  search: 'Link, remark or beginning',
  clean: 'Clean up',
  cleanTitle: 'Clean up every expired and used-up text?',
  cleanText: 'Their content is deleted for good. Visitors are still told that the share has ended.',
  deleteTitle: 'Delete {{count}} texts?',
  deleteOne: 'Delete this text?',
  deleteText_one: 'The link stops working at once, and the content cannot be recovered.',
  deleteText_other: 'The links stop working at once, and the contents cannot be recovered.',
  empty: {
    title: 'No texts shared yet',
    text: 'Write something on the home page and make a link of it: it will be listed here.',
    action: 'Write a text',
  },
  preview: {
    title: 'Shared text',
    cut: 'Only the first {{count}} characters are shown.',
    password: 'Password',
    none: 'None',
    content: 'Text',
  },
}

export const fileShares: Locale['fileShares'] = {
  search: 'Name, link or remark',
  clean: 'Clean up',
  cleanTitle: 'Clean up every expired and used-up file?',
  cleanText:
    'These shares and their files are deleted, which cannot be undone. Files of mounts that were only shared stay.',
  deleteTitle: 'Delete {{count}} file shares?',
  deleteOne: 'Delete this file share?',
  deleteText_one:
    'The link stops working at once, and the file is deleted from its storage for good. Files of mounts that were only shared stay.',
  deleteText_other:
    'The links stop working at once, and the files are deleted from their storages for good. Files of mounts that were only shared stay.',
  linked: 'A file of a mount',
  empty: {
    title: 'No files shared yet',
    text: 'Upload a file and make a link of it: it will be listed here.',
    action: 'Upload a file',
  },
  details: {
    link: 'Link',
    type: 'Type',
    mode: 'Downloads',
    proxy: 'Through this server',
    direct: 'Straight from the storage',
    storage: 'Storage',
    path: 'Path in the storage',
    etag: 'ETag',
    sha256: 'SHA-256',
    password: 'Password',
    none: 'None',
    download: 'Download',
    preview: 'Preview',
  },
}
