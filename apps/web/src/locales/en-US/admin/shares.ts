import type { Locale } from '../../zh-CN/index.ts'

export const shares: Locale['shares'] = {
  state: { label: 'Status', all: 'Any status', active: 'Active', over: 'Expired or used up' },
  protection: { label: 'Password', all: 'Password: any', yes: 'With password', no: 'No password' },
  creator: { label: 'Creator', all: 'Created by anyone' },
  anyStorage: 'Any storage',
  deletedKey: 'Deleted key',
  expired: 'Expired',
  viewsOf: '{{used}} of {{max}}',
  columns: {
    link: 'Link',
    name: 'Name',
    remark: 'Title',
    text: 'Text',
    created: 'Created',
    expires: 'Expires',
    views: 'Views',
    creator: 'By',
    size: 'Size',
    storage: 'Storage',
  },
  actions: {
    of: 'More actions for “{{name}}”',
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
    background: 'Continue in the background',
    stop: 'Stop',
  },
}

export const texts: Locale['texts'] = {
  search: 'Link, title, or text',
  clean: 'Clean up',
  cleanTitle: 'Delete all expired and used-up texts?',
  cleanText:
    'Their content will be permanently deleted. Visitors will still be told that the share has ended.',
  deleteTitle: 'Delete {{count}} texts?',
  deleteOne: 'Delete this text?',
  deleteText_one: 'The link stops working immediately, and the content cannot be recovered.',
  deleteText_other: 'The links stop working immediately, and the contents cannot be recovered.',
  empty: {
    title: 'No texts shared yet',
    text: 'Write something on the home page and create a link. It will be listed here.',
    action: 'Write text',
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
  search: 'Name, link, or title',
  clean: 'Clean up',
  cleanTitle: 'Delete all expired and used-up files?',
  cleanText:
    'These shares and their files will be permanently deleted. Files on mounts that were only shared stay.',
  deleteTitle: 'Delete {{count}} file shares?',
  deleteOne: 'Delete this file share?',
  deleteText_one:
    'The link stops working immediately, and the file is permanently deleted from its storage. Files on mounts that were only shared stay.',
  deleteText_other:
    'The links stop working immediately, and the files are permanently deleted from their storages. Files on mounts that were only shared stay.',
  linked: 'A file on a mount',
  empty: {
    title: 'No files shared yet',
    text: 'Upload a file and create a link. It will be listed here.',
    action: 'Upload a file',
  },
  details: {
    link: 'Link',
    type: 'Type',
    mode: 'Downloads',
    proxy: 'Through this server',
    direct: 'Directly from the storage',
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
