import type { Locale } from '../../zh-CN/index.ts'

export const audit: Locale['audit'] = {
  kept_one: 'What administrators and keys have done, kept for {{count}} day',
  kept_other: 'What administrators and keys have done, kept for {{count}} days',
  filters: {
    actor: 'Everybody',
    action: 'All actions',
    outcome: 'All outcomes',
    period: 'Any time',
  },
  periods: { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' },
  outcomes: { done: 'Done', refused: 'Refused', refusedBecause: 'Refused: {{reason}}' },
  visitor: 'Not logged in',
  goneKey: '{{name}} (deleted)',
  columns: {
    time: 'Time',
    actor: 'Who',
    action: 'Action',
    target: 'What',
    address: 'From',
    outcome: 'Outcome',
  },
  empty: { title: 'Nothing yet', text: 'Changes by administrators and keys appear here.' },
  more: 'Show earlier entries',
  exportCsv: 'CSV for spreadsheets',
  exportJson: 'JSON Lines',
  exported: 'Audit log exported',
  actions: {
    session: {
      login: 'Log in',
      drive_login: 'Log in by network drive',
      logout: 'Log out',
      end: 'End session',
      end_others: 'End other sessions',
    },
    account: {
      change: 'Change username or password',
    },
    api_key: {
      create: 'Create key',
      change: 'Change key',
      delete: 'Delete key',
      read: 'See keys in full',
    },
    text: {
      create: 'Share text',
      change: 'Change text',
      delete: 'Delete texts',
      delete_expired: 'Clear expired texts',
      delete_matching: 'Delete matching texts',
      restore: 'Restore earlier text',
      forget: 'Delete earlier versions',
      read_password: 'See password of text',
    },
    file: {
      create: 'Share file',
      change: 'Change file share',
      delete: 'Delete file shares',
      delete_expired: 'Clear expired files',
      delete_matching: 'Delete matching files',
      read_password: 'See password of file',
    },
    drive: {
      write: 'Write file',
      create_folder: 'Create folder',
      rename: 'Rename',
      move: 'Move',
      copy: 'Copy',
      delete: 'Delete files or folders',
      lock: 'Lock file',
      unlock: 'Unlock file',
      properties: 'Change file properties',
    },
    import: {
      start: 'Import from address',
    },
    task: {
      cancel: 'Cancel task',
      retry: 'Retry task',
      delete: 'Delete task record',
    },
    mount: {
      create: 'Create mount',
      change: 'Change mount',
      delete: 'Delete mount',
    },
    storage: {
      create: 'Create storage',
      change: 'Change storage',
      delete: 'Delete storage',
      set_default: 'Make storage the default',
      test: 'Test storage',
      check: 'Check storages',
    },
    index: {
      rebuild: 'Rebuild index',
    },
    cache: {
      clear: 'Clear caches',
    },
    settings: {
      change: 'Change settings',
    },
    guide: {
      save: 'Go on with the guide',
    },
    samples: {
      create: 'Add samples',
      delete: 'Remove samples',
    },
    backup: {
      export: 'Export backup',
      import: 'Import backup',
      confirm_restored: 'Confirm restored server',
    },
    audit: {
      export: 'Export audit log',
      overflow: 'Too much at once, not all kept',
    },
  },
}
