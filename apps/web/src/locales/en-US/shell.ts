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
    auto: 'Theme: follows the system. Switch to light',
    light: 'Theme: light. Switch to dark',
    dark: 'Theme: dark. Switch to following the system',
  },
  offline: 'You are offline',
  offlineCopy: 'Offline copy of {{time}}',
  loadAgain: 'Load again',
  footer: 'a clipboard of your own',
  titles: {
    home: 'Online clipboard',
    admin: 'Admin',
    paste: 'Text share',
  },
  pageError: {
    title: 'This page could not be opened',
    text: 'The connection may be down, or the app was just updated.',
    draft: 'The connection may be down, or the app was just updated. What you typed is kept as a draft.',
  },
  pageOffline: {
    title: 'Page temporarily unavailable',
    text: 'There is no connection, and this page is not on this device yet. Check the network connection, or go on with a page that you have visited before.',
    draft:
      'There is no connection, and the editor is not on this device yet. Check the network connection. What you typed is kept as a draft.',
    back: 'Go back',
    server: {
      text: 'The server does not answer, and this page is not on this device yet. It opens as soon as the server is back; meanwhile you can go on with a page that you have visited before.',
      draft:
        'The server does not answer, and the editor is not on this device yet. It opens as soon as the server is back. What you typed is kept as a draft.',
    },
  },
  unknownAddress: 'There is no page at {{address}}',
  sessionEnd: {
    logout: 'Logged out',
    'account-changed': 'Changed. Please log in with the new username or password',
    'admin-expired': 'The admin session has expired, please log in again',
    'key-invalid': 'The API key is invalid or expired',
  },
}
