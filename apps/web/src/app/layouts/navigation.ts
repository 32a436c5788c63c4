/** Sections in the header, in order. A section is listed once its page exists. */
export const sections = [
  { to: '/', label: 'shell.home' },
  { to: '/upload', label: 'shell.upload' },
  { to: '/mount-explorer/$', label: 'shell.files' },
  { to: '/admin', label: 'shell.admin' },
] as const
