import type { Locale } from '../zh-CN/index.ts'

export const auth: Locale['auth'] = {
  title: 'Log in',
  mode: 'How to log in',
  adminMode: 'Admin account',
  keyMode: 'API key',
  username: 'Username',
  password: 'Password',
  apiKey: 'API key',
  keyHint: 'Ask your administrator for a key to share texts or files',
  forgotten: {
    title: 'Forgot the password?',
    text: 'Set a new one on the server with one of these commands. It ends all sessions.',
  },
  submit: 'Log in',
  needBoth: 'Enter the username and the password',
  needKey: 'Enter the API key',
  administrator: 'Administrator',
  mayDo: 'Access',
  allPermissions: 'Everything',
  text: 'Text shares',
  file: 'File shares',
  mount: 'Mounted storage',
  mountReadOnly: 'Mounted storage (read only)',
  noPermission: 'This key has no permission at all',
  basicPath: 'Within the path',
  again: {
    title: 'Please log in again',
    asked: 'Log in and you are back here, with everything you have filled in.',
    'admin-expired':
      'The session has ended. Log in and you are back here, with everything you have filled in.',
    'key-invalid':
      'The API key is invalid or expired. Log in and you are back here, with everything you have filled in.',
    'account-changed': 'Changed. Log in with the new username or password and you are back here.',
    discard: 'Discard and leave',
    notNow: 'Not now',
  },
}
