import type { Locale } from '../../zh-CN/index.ts'

export const settings: Locale['settings'] = {
  title: 'Settings',
  saved: 'Settings saved',
  uploads: {
    title: 'Uploads',
    maxSize: 'Largest file',
    maxSizeHint: 'For every upload; kept in whole MB',
    unit: 'Unit',
    problems: {
      notANumber: 'Enter a number above 0',
      notWhole: 'Must come to whole MB, for example KB in multiples of 1024',
      tooSmall: 'At least 1 MB',
      tooLarge: 'At most 10 TB (10240 GB)',
      grace: 'A whole number of minutes, at most 1440 (one day)',
    },
    webdavMode: 'WebDAV uploads',
    webdavModes: { auto: 'Automatic', direct: 'Direct', multipart: 'In parts' },
    webdavHints: {
      auto: 'Up to 16 MB go to a bucket in one request, larger files in parts, which is more reliable on a slow connection.',
      direct: 'Up to 64 MB go to a bucket in one request, larger files in parts. Right in most cases.',
      multipart: 'Files go to a bucket in parts of 8 MB and more. For storages that limit a single request.',
    },
    showShareFiles: 'Show files of shares',
    showShareFilesHint:
      'Uploaded files of shares appear to you in the explorer and on the network drive. Keys never see them.',
    openingGrace: 'Open again without a view (minutes)',
    openingGraceHint:
      'A device that opened a share with a view limit may open it again for this long. With 0 it never may.',
    atOnce: 'Takes effect at once',
  },
}
