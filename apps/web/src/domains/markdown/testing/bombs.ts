interface Bomb {
  readonly name: string
  /** @returns an input in which a construct is repeated `count` times */
  readonly make: (count: number) => string
}

/** Deeply nested, long or backtracking inputs. */
export const BOMBS: readonly Bomb[] = [
  { name: 'quotes in quotes', make: (count) => `${'> '.repeat(count)}x` },
  { name: 'lists in lists', make: (count) => `${'- '.repeat(count)}x` },
  { name: 'lone brackets', make: (count) => '['.repeat(count) },
  { name: 'pictures in pictures', make: (count) => '!['.repeat(count) + 'x' + '](y)'.repeat(count) },
  { name: 'lone stars', make: (count) => '**a '.repeat(count) },
  { name: 'stars and underscores', make: (count) => '*_'.repeat(count) + 'x' + '_*'.repeat(count) },
  {
    name: 'lone backquotes',
    make: (count) => Array.from({ length: Math.ceil(count / 50) }, (_, at) => '`'.repeat(at + 1)).join(' '),
  },
  { name: 'lone dollars', make: (count) => '$a '.repeat(count) },
  { name: 'pairs of dollars', make: (count) => '$$a '.repeat(count) },
  { name: 'backslashes before a dollar', make: (count) => `${'\\'.repeat(count)}$x$` },
  { name: 'formula blocks that do not end', make: (count) => '$$a\n\n'.repeat(count) },
  { name: 'lone formulas in brackets', make: (count) => '\\(a '.repeat(count) },
  { name: 'formulas in brackets that do not end', make: (count) => '\\[a\n'.repeat(count) },
  { name: 'brackets of words', make: (count) => '\\[a\\] '.repeat(count) },
  { name: 'lone equals signs', make: (count) => '==a '.repeat(count) },
  { name: 'equals signs', make: (count) => '='.repeat(count) },
  { name: 'entities', make: (count) => '&amp;'.repeat(count) },
  {
    name: 'notes that mention each other',
    make: (count) =>
      Array.from({ length: count }, (_, at) => `[^${at}]: see [^${at + 1}]`).join('\n') + '\n\n[^0]',
  },
  { name: 'one note mentioned often', make: (count) => `${'[^1] '.repeat(count)}\n\n[^1]: x` },
  { name: 'notes in notes', make: (count) => `${'[^1]: '.repeat(count)}x\n\n[^1]` },
  { name: 'lone notes', make: (count) => '[^'.repeat(count) },
  { name: 'the same heading', make: (count) => '# a\n'.repeat(count) },
  { name: 'tables of contents', make: (count) => `# a\n${'\n[TOC]\n'.repeat(count)}` },
  {
    name: 'columns of a table',
    make: (count) => `|${'a|'.repeat(count)}\n|${'-|'.repeat(count)}\n|${'b|'.repeat(count)}`,
  },
  {
    name: 'references',
    make: (count) => Array.from({ length: count }, (_, at) => `[${at}]: /x\n`).join('') + '[1]',
  },
  { name: 'angle brackets', make: (count) => '<'.repeat(count) },
  { name: 'lone comments', make: (count) => '<!-- '.repeat(count) },
  { name: 'lines that begin comments', make: (count) => '<!-- a\n\n'.repeat(count) },
  { name: 'details in details', make: (count) => '<details>\n'.repeat(count) },
  {
    name: 'closed details in details',
    make: (count) => '<details>\n'.repeat(count) + '</details>\n'.repeat(count),
  },
  { name: 'lone keys', make: (count) => '<kbd>'.repeat(count) },
  { name: 'spaces before a line end', make: (count) => `a${' '.repeat(count)}\nb` },
  { name: 'front matter without an end', make: (count) => `---\n${'a: b\n'.repeat(count)}` },
  { name: 'lists in front matter', make: (count) => `---\na: ${'['.repeat(count)}\n---\n` },
  { name: 'addresses', make: (count) => 'https://a.example '.repeat(count) },
  { name: 'one long word', make: (count) => 'x'.repeat(count * 10) },
]
