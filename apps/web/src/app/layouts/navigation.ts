/** Links of the header, in order. */
export const sections = [
  { to: '/', label: 'shell.home' },
  { to: '/upload', label: 'shell.upload' },
  { to: '/mount-explorer/$', label: 'shell.files' },
  { to: '/admin', label: 'shell.admin' },
] as const
