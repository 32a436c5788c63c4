import type { LanguageFacts } from '../language-facts.ts'

/** What there are words for is said here; every other language has the same parts. */
export const chinese = {
  code: 'zh-CN' as const,
  name: '中文',
  date: { month: '2-digit', day: '2-digit' },
  justNow: '刚刚',
  plainBelow: 1000,
  hasBlankAtDigits: true,
  emojiNames: 'chinese',
  words: {
    /** What every page may need. */
    first: async () => (await import('./index.ts')).locale,
    /** Of every screen for people who are logged in. */
    later: async () => (await import('./later.ts')).later,
    /** Of the pages that share and show files. */
    files: async () => (await import('./file-words.ts')).fileWords,
    /** Of what comes to an editor after one can type in it. */
    editor: async () => (await import('./editor-words.ts')).editorWords,
    /** Of what readers and owners of a text can do beside reading it. */
    textView: async () => (await import('./text-view-words.ts')).textViewWords,
    /** Of formatted text, beside the words of the app: a text can be read before those are needed. */
    reading: () => import('./reading.ts'),
    /** Of the other forms of a text. */
    exports: async () => ({ exports: (await import('./exports.ts')).exportWords }),
    /** Of files that are shown. */
    viewer: () => import('./viewer.ts'),
    /** Texts of the offline and installed app. */
    offline: () => import('./offline.ts'),
    /** Of changes that wait for the line. */
    queue: () => import('./queue.ts'),
    /** Of the palette, and of the keyboard map. */
    palette: () => import('./palette.ts'),
    /** Of the admin panel. */
    admin: async () => (await import('./admin/index.ts')).adminWords,
  },
} satisfies LanguageFacts & { readonly words: Readonly<Record<string, () => Promise<object>>> }
