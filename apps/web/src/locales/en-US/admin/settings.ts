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
    },
    webdavMode: 'WebDAV uploads',
    webdavModes: { direct: 'Direct', multipart: 'In parts' },
    webdavHints: {
      direct: 'What arrives is written to the storage as one piece. Right in most cases.',
      multipart:
        'What arrives is written in parts. For very large files, and storages that limit a single upload.',
    },
    atOnce: 'Takes effect at once',
  },
}
