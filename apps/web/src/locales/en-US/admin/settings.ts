import type { Locale } from '../../zh-CN/index.ts'

export const settings: Locale['settings'] = {
  title: 'Settings',
  saved: 'Settings saved',
  uploads: {
    title: 'Uploads',
    maxSize: 'Maximum file size',
    maxSizeHint: 'Applies to every upload; stored in whole MB',
    unit: 'Unit',
    problems: {
      notANumber: 'Enter a number above 0',
      notWhole: 'Must be a whole number of MB; KB only in multiples of 1024',
      tooSmall: 'At least 1 MB',
      tooLarge: 'At most 10 TB (10240 GB)',
      grace: 'A whole number of minutes, at most 1440 (one day)',
    },
    webdavMode: 'WebDAV uploads',
    webdavModes: { auto: 'Automatic', direct: 'Direct', multipart: 'In parts' },
    webdavHints: {
      auto: 'Files up to 16 MB go to a bucket in one request, larger files in parts, which is more reliable on a slow connection.',
      direct:
        'Files up to 64 MB go to a bucket in one request, larger files in parts. The right choice in most cases.',
      multipart:
        'Files go to a bucket in parts of 8 MB and more. For storages that limit the size of a request.',
    },
    showShareFiles: 'Show files that belong to shares',
    showShareFilesHint:
      'Shows you the uploaded files of shares in the explorer and on the network drive. API keys never see them.',
    sealedPolicy: 'End-to-end encryption of shares',
    sealedPolicies: { off: 'Off', offered: 'Offered', default: 'On by default', required: 'Required' },
    sealedHints: {
      off: 'All shares are open: the server can read them.',
      offered: 'Each new share has a switch for encryption on the device. It is off by default.',
      default: 'The switch is on by default, and can be turned off for a share.',
      required: 'Open shares are refused, no matter how they are sent.',
    },
    openingGrace: 'Reopening without using a view (minutes)',
    openingGraceHint:
      'A device that has opened a share with a view limit can open it again for this long. 0 turns this off.',
    atOnce: 'Takes effect immediately',
  },
}
