import type { Locale } from '../zh-CN/index.ts'

export const paste: Locale['paste'] = {
  created: 'Created {{date}}',
  expires: 'Expires {{date}} ({{relative}})',
  expiredAt: 'Expired {{date}}',
  viewsLeft: 'Views left: {{count}}',
  lastView: 'This was the last view',
  actions: 'Actions for this share',
  copyText: 'Copy text',
  raw: 'Raw text',
  rawCounts: 'Opening the raw text counts as a view',
  copyLink: 'Copy link',
  linkCopied: 'Link copied',
  textCopied: 'Text copied',
  showPlain: 'Show as plain text',
  showMarkdown: 'Show as Markdown',
  print: 'Print',
  edit: 'Edit',
  locked: {
    title: 'This share is protected by a password',
    password: 'Password',
    open: 'Open',
  },
  gone: {
    notFoundTitle: 'This share was not found',
    notFoundText:
      'The link may be incomplete, or the share was deleted. Check the link or ask the person who shared it.',
    expiredTitle: 'This share has expired',
    expiredText:
      'The link was set to expire. Ask the person who shared it for a new one if you still need it.',
    usedUpTitle: 'This share has no views left',
    usedUpText:
      'The share could be opened a limited number of times. Ask the person who shared it for a new link if you still need it.',
    failedTitle: 'This share could not be loaded',
    newShare: 'New share',
  },
  editing: {
    title: 'Edit share',
    loading: 'Loading the full text…',
    saved: 'Saved',
    notSaved: 'Not saved. Your changes are still below.',
    leaveText: 'The text stays in this editor’s drafts. Other changes will be lost.',
  },
}
