import type { Locale } from '../zh-CN/index.ts'

export const auth: Locale['auth'] = {
  title: 'Log in',
  mode: 'Log in with',
  adminMode: 'Admin account',
  keyMode: 'API key',
  username: 'Username',
  password: 'Password',
  apiKey: 'API key',
  keyHint: 'Ask your administrator for a key to share text or files',
  forgotten: {
    title: 'Forgot the password?',
    text: 'Set a new one on the server with one of these commands. This ends all sessions.',
  },
  submit: 'Log in',
  needBoth: 'Enter your username and password',
  needKey: 'Enter your API key',
  allPermissions: 'Everything',
  text: 'Text shares',
  file: 'File shares',
  mount: 'Mounted storage',
  mountReadOnly: 'Mounted storage (read-only)',
  noPermission: 'This key has no permissions',
  again: {
    title: 'Please log in again',
    asked: 'Log in to continue here. Everything you entered is still there.',
    'admin-expired':
      'Your session has ended. Log in to continue here. Everything you entered is still there.',
    'key-invalid':
      'The API key is invalid or expired. Log in to continue here. Everything you entered is still there.',
    'account-changed': 'Your username or password was changed. Log in with the new one to continue here.',
    discard: 'Discard and leave',
    notNow: 'Not now',
  },
}
