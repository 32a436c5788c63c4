import type { Locale } from '../zh-CN/index.ts'

export const shell: Locale['shell'] = {
  skip: 'Skip to content',
  home: 'Home',
  upload: 'Upload',
  files: 'Files',
  admin: 'Admin',
  navigation: 'Main navigation',
  menu: 'Menu',
  palette: 'Quick find',
  paletteFailed: 'This could not be opened. The connection may be down, or the app was just updated.',
  language: 'Language',
  source: 'Source code',
  theme: {
    auto: 'Theme: system. Switch to light',
    light: 'Theme: light. Switch to dark',
    dark: 'Theme: dark. Switch to system',
  },
  offline: 'You’re offline',
  offlineCopy: 'Offline copy from {{time}}',
  loadAgain: 'Load again',
  footer: 'your own online clipboard',
  titles: {
    home: 'Online clipboard',
    admin: 'Admin',
    inAdmin: '{{module}} · Admin',
    paste: 'Text share',
  },
  pageError: {
    title: 'This page could not be opened',
    text: 'The connection may be down, or the app was just updated.',
    draft: 'The connection may be down, or the app was just updated. What you typed is kept as a draft.',
  },
  pageOffline: {
    title: 'Page temporarily unavailable',
    text: 'You are offline, and this device has no offline copy of this page yet. Check your network connection, or open a page you have visited before.',
    draft:
      'You are offline, and this device has no offline copy of the editor yet. Check your network connection. What you typed is kept as a draft.',
    back: 'Go back',
    server: {
      text: 'The server is not responding, and this device has no offline copy of this page yet. It will open as soon as the server is back. Meanwhile, you can open a page you have visited before.',
      draft:
        'The server is not responding, and this device has no offline copy of the editor yet. It will open as soon as the server is back. What you typed is kept as a draft.',
    },
  },
  unknownAddress: 'There is no page at {{address}}',
  sessionEnd: {
    logout: 'Logged out',
    'account-changed': 'Your username or password was changed. Please log in with the new one',
    'admin-expired': 'The admin session has expired. Please log in again',
    'key-invalid': 'The API key is invalid or expired',
  },
}
