import type { Locale } from '../../zh-CN/index.ts'

export const account: Locale['account'] = {
  title: 'Change username or password',
  currentPassword: 'Current password',
  newUsername: 'New username',
  newPassword: 'New password',
  repeatPassword: 'Confirm new password',
  keepHint: 'Leave blank to keep the current one',
  passwordHint: 'At least {{count}} characters; leave blank to keep the current one',
  problems: {
    needCurrent: 'Enter your current password',
    tooShort: 'At least {{count}} characters',
    different: 'The passwords do not match',
  },
  change: 'Change',
  endsSessions: 'After this change, every device must log in again.',
}
