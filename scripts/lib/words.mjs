/**
 * Phrases that only this project would use, each with the replacement. A phrase is a regular expression that matches
 * whole words in any case. A space in a phrase also matches a line break inside a comment.
 */
export const PHRASES = [
  // Connections
  ['without a line(?! (?:end|break|feed))', 'offline'],
  ['the line is back', 'online again'],
  ['the line breaks', 'the connection breaks'],
  ['(?:broken|lost|dead|bad|slow) line', 'a broken, lost, dead or slow connection'],
  ['hangs? up', 'disconnects'],
  ['falls? silent', 'stalls'],
  ['out of sight', 'hidden, invisible'],
  ['without a word', 'silently, without an error'],
  ['knocks? at', 'sends a request'],
  ['(?:whatever|every|any) door', 'every interface'],
  ['faces? of the file system', 'an interface of the file system'],
  ['lets? in', 'admits'],
  ['kept out', 'excluded, locked out'],

  // Storage and database
  ['ordeals?', 'crash test'],
  ['on the medium', 'fsynced'],
  ['at (?:its|their) places?', 'under its final name; in its position'],
  ['half (?:a )?(?:files?|objects?)', 'a partial file or object'],
  ['words once', 'compiled once per dialect'],
  ['puts? into words', 'describe, compile'],
  ['goes first', 'is queued first; has priority'],
  ['at one stroke', 'atomically'],
  ['to himself', 'holds a lease'],
  ['speaks? for', 'is authoritative for'],
  ['comes? into being', 'is created'],
  ['taken for', 'treated as, mistaken for'],
  ['held against', 'checked against'],
  ['(?:came|comes?) apart', 'differs'],
  ['works? off', 'processes'],
  ['of before', 'earlier'],
  ['at hand', 'available'],
  ['(?:is|are) away', 'is unreachable'],

  // Continuing, repeating, stopping
  ['gone on with', 'continued, resumed'],
  ['going on with', 'continuing, resuming'],
  ['(?:begun|begins?) anew', 'restarted'],
  ['made anew', 'recreated'],
  [
    '(?:read|drawn|written|counted|crawled|sealed) anew',
    'again: read again, rendered again, encrypted again',
  ],
  ['same again', 'the same call again, another'],
  ['broken off', 'interrupted, aborted'],
  ['broke off', 'was interrupted, failed'],
  ['break(?:s|ing)? off', 'interrupt, abort, fail'],
  ['falls? over', 'crashes'],
  ['under way', 'running, in progress'],
  ['puts? off', 'extend, delay, postpone'],
  ['tak(?:en|es?) back', 'undo, revoke, remove'],
  ['for ever', 'forever, without a limit'],
  ['in vain', 'without success'],
  ['as one likes', 'any; without a limit'],

  // Telling and knowing
  ['(?:is|are|was|were) told of', 'is notified of, is reported'],
  ['told apart', 'distinguished, listed separately'],
  ['told as', 'reported as'],
  ['hears? of', 'receives, is notified of'],
  ['learns? of', 'is notified of, detects'],
  ['came of', 'the result of'],
  ['says? no more', 'says only'],
  ['names? nobody', 'identifies no user'],
  ['handed on', 'passed on, forwarded'],
  ['leads? nowhere', 'is broken, is unknown'],

  // People and pronouns
  ['he', 'the caller, the holder, it'],
  ['him', 'the caller, the holder, it'],
  ['his own', 'its own, another'],
  ['the asker', 'the caller'],
  ['wishes', 'options, preferences, requests'],

  // Old or ambiguous words
  ['mend(?:s|ed|ing)?', 'fix, repair'],
  ['for want of', 'because there is no'],
  ['the same of', 'like {@link …}, for'],
  ['gives? way', 'is replaced, is removed'],
  ['by the way', 'implicitly'],
  ['be it', 'whether, either'],
  ['but for', 'except for'],
  ['to be (?:seen|had|found)', 'visible, available'],
  ['is of no use', 'is useless'],
  ['that is none', 'that is not one'],
  ['counts? for nothing', 'is ignored'],
  ['went by', 'passed'],
]
