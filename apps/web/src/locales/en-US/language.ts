import type { LanguagePack } from '../language-pack.ts'

export const english = {
  code: 'en-US' as const,
  name: 'English',
  date: { month: 'short', day: 'numeric' },
  justNow: 'just now',
  plainBelow: 1000,
  hasBlankAtDigits: false,
  emojiNames: 'english',
  words: {
    first: async () => (await import('./index.ts')).locale,
    later: async () => (await import('./later.ts')).later,
    files: async () => (await import('./file-words.ts')).fileWords,
    editor: async () => (await import('./editor-words.ts')).editorWords,
    textView: async () => (await import('./text-view-words.ts')).textViewWords,
    reading: () => import('./reading.ts'),
    opening: () => import('./opening.ts'),
    bundle: () => import('./bundle.ts'),
    sealedReading: () => import('./sealed-reading.ts'),
    exports: async () => ({ exports: (await import('./exports.ts')).exportWords }),
    viewer: () => import('./viewer.ts'),
    offline: () => import('./offline.ts'),
    queue: () => import('./queue.ts'),
    palette: () => import('./palette.ts'),
    admin: async () => (await import('./admin/index.ts')).adminWords,
  },
} satisfies LanguagePack
